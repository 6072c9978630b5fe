import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { ProjectionLog } from '../projections/projection-runner.js';
import type { Vault } from '../vault/vault.js';

const COLLECTION = 'presence';

/** In milliseconds of the own clock: no two machines' clocks are compared. */
export interface PresenceTimes {
  /** Between two beats of a process where nothing changes. */
  readonly beat: number;
  /** Between two looks at what the others say. */
  readonly look: number;
  /** So long without a beat a process is dead. */
  readonly dead: number;
}

const TIMES: PresenceTimes = { beat: 5_000, look: 1_000, dead: 12_000 };

/** Who is looking at which project. */
export type Here = Readonly<Record<Id, readonly Uid[]>>;

/** What a process asks and hears of presence. */
export interface PresenceEnds {
  /** Who is here, in this process. */
  here(): Here;
  /** In these projects it is somebody else in other processes now. */
  moved(projectIds: readonly Id[]): void;
}

interface PresenceRecord extends Record<string, unknown> {
  /** Another one with each beat. */
  readonly beat: string;
  readonly here: Here;
}

/** Another process, as its record was last seen. */
interface Elsewhere {
  readonly beat: string;
  readonly here: Here;
  /** How long the beat has not moved, as far as one could look. */
  readonly silent: number;
}

/** Who is looking at projects in the other processes on the vault: each keeps one record there, and reads those of the others. Nothing happens without a shared vault. */
export class PresenceElsewhere {
  private readonly id = randomUUID();
  private readonly closing = new AbortController();
  private others: ReadonlyMap<string, Elsewhere> = new Map();
  private ends: PresenceEnds = { here: () => ({}), moved: () => undefined };
  private said = '{}';
  private beatAt = -Infinity;
  private lookedAt = -Infinity;
  private looking: Promise<void> = Promise.resolve();
  private writing: Promise<void> = Promise.resolve();
  private isWaiting = false;
  private isAway = false;

  /** @param vault null where no other process works on it */
  constructor(
    private readonly vault: Vault | null,
    private readonly log: ProjectionLog,
    private readonly times: PresenceTimes = TIMES,
  ) {}

  async start(ends: PresenceEnds): Promise<void> {
    if (this.vault === null) return;
    this.ends = ends;
    await this.vault.declare({ name: COLLECTION });
    this.looking = this.follow(this.vault);
  }

  /** Who is looking at a project in other processes, in no order; somebody with tabs in several of them as often. */
  hereIn(projectId: Id): readonly Uid[] {
    return [...this.others.values()].flatMap(({ here }) => here[projectId] ?? []);
  }

  /** Tells the others soon when it is somebody else in this process now. */
  changed(): void {
    const { vault } = this;
    if (vault === null || this.isWaiting || this.closing.signal.aborted) return;
    this.isWaiting = true;
    this.writing = this.writing.then(async () => {
      this.isWaiting = false;
      await this.beat(vault, false);
    });
  }

  /** Nobody is here any more. */
  async stop(): Promise<void> {
    this.closing.abort();
    await this.looking;
    await this.writing;
    if (this.vault === null || this.beatAt === -Infinity) return;
    // Whoever does not hear it finds this process silent.
    await this.vault.remove(COLLECTION, this.id).catch((error: unknown) => this.log.error({ err: error }, 'who was here stands a little longer'));
  }

  private async follow(vault: Vault): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await this.look(vault).then(
        () => this.seen(),
        (error: unknown) => this.unseen(error),
      );
      this.writing = this.writing.then(() => this.beat(vault, true));
      await this.writing;
      // An abort ends the pause with an error, and the loop.
      await pause(this.times.look, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Told once, however long it lasts. */
  private unseen(error: unknown): void {
    if (!this.isAway) this.log.error({ err: error }, 'who is here in other processes cannot be read, trying again');
    this.isAway = true;
  }

  private seen(): void {
    if (this.isAway) this.log.info({}, 'who is here in other processes is read again');
    this.isAway = false;
  }

  /** Writes this process's record when it says something new, or has to be heard again. */
  private async beat(vault: Vault, isRegular: boolean): Promise<void> {
    const here = this.ends.here();
    const said = JSON.stringify(here);
    const isDue = isRegular && this.said !== '{}' && performance.now() - this.beatAt >= this.times.beat;
    if ((said === this.said && !isDue) || this.closing.signal.aborted) return;
    try {
      await vault.put(COLLECTION, this.id, { beat: randomUUID(), here } satisfies PresenceRecord);
      this.said = said;
      this.beatAt = performance.now();
    } catch (error) {
      this.log.error({ err: error }, 'who is here could not be told to other processes');
    }
  }

  private async look(vault: Vault): Promise<void> {
    const { dead, look } = this.times;
    const at = performance.now();
    // Time in which nobody could look proves nobody silent.
    const passed = Math.min(at - this.lookedAt, 2 * look);
    const records = await vault.find<PresenceRecord>(COLLECTION, {});
    this.lookedAt = at;
    const others = new Map<string, Elsewhere>();
    for (const { id, version, body } of records) {
      const before = this.others.get(id);
      const silent = before?.beat === body.beat ? before.silent + passed : 0;
      if (id === this.id) continue;
      if (silent < dead) others.set(id, { beat: body.beat, here: body.here, silent });
      // A beat since then gave it another version, and it stays.
      else await vault.remove(COLLECTION, id, version);
    }
    const moved = movedBetween([...this.others.values()], [...others.values()]);
    this.others = others;
    if (moved.length > 0) this.ends.moved(moved);
  }
}

/** The projects in which it is somebody else. */
function movedBetween(before: readonly Elsewhere[], after: readonly Elsewhere[]): readonly Id[] {
  const projectIds = new Set([...before, ...after].flatMap(({ here }) => Object.keys(here)));
  const inIt = (all: readonly Elsewhere[], projectId: Id): string => JSON.stringify([...new Set(all.flatMap(({ here }) => here[projectId] ?? []))].toSorted());
  return [...projectIds].filter((projectId) => inIt(before, projectId) !== inIt(after, projectId));
}
