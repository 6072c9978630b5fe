import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { Vault } from '../vault/vault.js';
import type { Logger } from '../logger.js';

const COLLECTION = 'presence';

/** In milliseconds of this process's clock: clocks of different machines are never compared. */
export interface PresenceTimes {
  /** Between two heartbeats while nothing changes. */
  readonly beat: number;
  /** Between two reads of the others' records. */
  readonly look: number;
  /** A process without a heartbeat for this long is dead. */
  readonly dead: number;
}

const TIMES: PresenceTimes = { beat: 5_000, look: 1_000, dead: 12_000 };

/** Who is present, by room. */
export type Here = Readonly<Record<string, readonly Uid[]>>;

/** How presence is read in this process, and where changes in others are reported. */
export interface PresenceEnds {
  /** Who is present in this process. */
  here(): Here;
  /** The people in these rooms changed in other processes. */
  moved(rooms: readonly string[]): void;
}

interface PresenceRecord extends Record<string, unknown> {
  /** A new id with each heartbeat. */
  readonly beat: string;
  readonly here: Here;
}

/** Another process, as its record was last seen. */
interface Elsewhere {
  readonly beat: string;
  readonly here: Here;
  /** How long the heartbeat has not changed, counting only time in which it could be read. */
  readonly silent: number;
}

/** Presence in other processes: each keeps one record in the shared vault and reads those of the others. Without a shared vault there are no others. */
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
  private isUnavailable = false;

  /** @param vault null where no other process shares it */
  constructor(
    private readonly vault: Vault | null,
    private readonly log: Logger,
    private readonly times: PresenceTimes = TIMES,
  ) {}

  async start(ends: PresenceEnds): Promise<void> {
    this.ends = ends;
    if (this.vault === null) return;
    await this.vault.declare({ name: COLLECTION });
    this.looking = this.follow(this.vault);
  }

  /** Who is present in a room in other processes, in no order; a person with tabs in several of them is listed several times. */
  hereIn(room: string): readonly Uid[] {
    return [...this.others.values()].flatMap(({ here }) => here[room] ?? []);
  }

  /** Who is present in a room in any process. */
  everywhereIn(room: string): readonly Uid[] {
    return [...(this.ends.here()[room] ?? []), ...this.hereIn(room)];
  }

  /** Publishes this process's presence soon, if it changed. */
  changed(): void {
    const { vault } = this;
    if (vault === null || this.isWaiting || this.closing.signal.aborted) return;
    this.isWaiting = true;
    this.writing = this.writing.then(async () => {
      this.isWaiting = false;
      await this.beat(vault, false);
    });
  }

  /** Withdraws this process's presence. */
  async stop(): Promise<void> {
    this.closing.abort();
    await this.looking;
    await this.writing;
    if (this.vault === null || this.beatAt === -Infinity) return;
    await this.vault
      .remove(COLLECTION, this.id)
      .catch((error: unknown) => this.log.error({ err: error, expiresInMs: this.times.dead }, 'presence record not removed; it expires'));
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

  /** Logged once per outage. */
  private unseen(error: unknown): void {
    if (!this.isUnavailable) this.log.error({ err: error }, 'presence of other processes cannot be read, retrying');
    this.isUnavailable = true;
  }

  private seen(): void {
    if (this.isUnavailable) this.log.info({}, 'presence of other processes is read again');
    this.isUnavailable = false;
  }

  /** Writes this process's record when its content changed or a heartbeat is due. */
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
      this.log.error({ err: error }, 'presence could not be published to other processes');
    }
  }

  private async look(vault: Vault): Promise<void> {
    const { dead, look } = this.times;
    const at = performance.now();
    // Time in which the records could not be read does not count as silence.
    const passed = Math.min(at - this.lookedAt, 2 * look);
    const records = await vault.find<PresenceRecord>(COLLECTION, {});
    this.lookedAt = at;
    const others = new Map<string, Elsewhere>();
    for (const { id, version, body } of records) {
      const before = this.others.get(id);
      const silent = before?.beat === body.beat ? before.silent + passed : 0;
      if (id === this.id) continue;
      if (silent < dead) others.set(id, { beat: body.beat, here: body.here, silent });
      // A heartbeat since then gave the record a new version, so it stays.
      else await vault.remove(COLLECTION, id, version);
    }
    const moved = movedBetween([...this.others.values()], [...others.values()]);
    this.others = others;
    if (moved.length > 0) this.ends.moved(moved);
  }
}

/** The rooms whose people differ. */
function movedBetween(before: readonly Elsewhere[], after: readonly Elsewhere[]): readonly string[] {
  const rooms = new Set([...before, ...after].flatMap(({ here }) => Object.keys(here)));
  const inIt = (all: readonly Elsewhere[], room: string): string => JSON.stringify([...new Set(all.flatMap(({ here }) => here[room] ?? []))].toSorted());
  return [...rooms].filter((room) => inIt(before, room) !== inIt(after, room));
}
