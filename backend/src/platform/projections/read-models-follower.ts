import type { Projector } from '../../kernel/projector.js';
import type { DocumentStore } from '../documents/documents.js';
import type { EventStore } from '../event-store/event-store.js';
import { generationKey, LOG_FACT, parkedStreams, physicalName, type StoredGeneration, storedProjectors } from './projection-generations.js';
import type { ServedPoll, ReadModels, ServedCollection } from './read-models.js';
import type { ReadSide } from './read-side.js';
import type { Logger } from '../logger.js';
import { pauseUnlessAborted } from '../pause.js';

/** What the follower reads and updates. */
export interface FollowerDeps {
  readonly store: Pick<EventStore, 'identity'>;
  readonly documents: DocumentStore;
  readonly reads: ReadModels;
  readonly readSide: ReadSide;
  readonly log: Logger;
}

/** The projectors whose documents are followed. */
export interface Followed {
  readonly projectors: readonly Projector[];
  /** True while this process builds them itself and therefore knows more than the stored state. */
  readonly isPaused: () => boolean;
}

interface Served {
  readonly projector: Projector;
  readonly generation: StoredGeneration;
}

/** Poll intervals for the positions of the read models, in milliseconds: while a caller waits for one, and while the store is unavailable. */
const AWAITED_MS = 5;
const UNAVAILABLE_MS = 50;
/** Poll interval for the served generations, and for positions while no caller waits. */
const IDLE_MS = 500;
/** How long the result of a poll is trusted. Replaced documents are kept for longer, so a trusted result never names dropped ones. */
const FRESH_MS = 3_500;
/** How long replaced documents are kept for followers. */
export const GRACE_MS = 5_000;

/**
 * Follows read models that another process builds, by polling what is stored: which generations are served, the position of each projector and which
 * streams it has parked. Pauses while this process builds them itself.
 */
export class ReadModelsFollower implements ServedPoll {
  private served: readonly Served[] | null = null;
  /** When the last complete poll began, by the process's own clock. */
  private polledAt = -Infinity;
  private polling: Promise<void> | null = null;
  private isUnavailable = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly deps: FollowerDeps,
    private readonly followed: Followed,
  ) {}

  isFresh(): boolean {
    return this.followed.isPaused() || performance.now() - this.polledAt < FRESH_MS;
  }

  /** To be called when a caller waits for a position: polls soon instead of at the next interval. */
  pollSoon(): void {
    this.wake();
  }

  /** Polls until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    this.deps.readSide.track(this.followed.projectors);
    signal.addEventListener('abort', () => this.wake(), { once: true });
    while (!signal.aborted) {
      if (!this.followed.isPaused()) await this.tryToPoll();
      await this.pauseUntilAwaited(signal);
    }
  }

  /** @throws ServiceUnavailable */
  async poll(): Promise<void> {
    if (this.followed.isPaused()) return;
    this.polling ??= this.pollAll().finally(() => {
      this.polling = null;
    });
    return this.polling;
  }

  private async tryToPoll(): Promise<void> {
    try {
      if (this.served !== null && performance.now() - this.polledAt < IDLE_MS) await this.pollPositions(this.served);
      else await this.poll();
      if (this.isUnavailable) this.deps.log.info({}, 'following the read models again');
      this.isUnavailable = false;
    } catch (error) {
      if (!this.isUnavailable) this.deps.log.error({ err: error }, 'read models cannot be followed, trying again');
      this.isUnavailable = true;
    }
  }

  private async pollAll(): Promise<void> {
    const { documents, reads, readSide } = this.deps;
    const began = performance.now();
    const served = await this.servedNow();
    if (served !== null && !isSame(served, this.served)) for (const each of served) await declare(documents, each);
    if (this.followed.isPaused()) return;
    if (served === null) {
      readSide.withdraw();
      reads.withdraw(this.followed.projectors.flatMap(({ collections }) => collections.map(({ name }) => name)));
    } else {
      const parked = await Promise.all(served.map((each) => parkedStreams(documents, keyOf(each))));
      if (this.followed.isPaused()) return;
      readSide.isBuiltHere = false;
      served.forEach(({ projector }, at) => readSide.parkedBy(projector.name, new Set(parked[at]?.map(({ stream }) => stream))));
      reads.serve(served.flatMap((each) => this.collectionsOf(each)));
      await this.pollPositions(served);
    }
    this.served = served;
    this.polledAt = began;
  }

  /** The served generations; null unless every projector of this program has one of its version, built from this log. */
  private async servedNow(): Promise<readonly Served[] | null> {
    const { documents, store } = this.deps;
    const [log, stored] = await Promise.all([documents.fact(LOG_FACT), storedProjectors(documents)]);
    const { projectors } = this.followed;
    const served = projectors.flatMap((projector) => {
      const generation = stored[projector.name]?.served ?? null;
      return generation?.version === projector.version ? [{ projector, generation }] : [];
    });
    return log === store.identity && served.length === projectors.length ? served : null;
  }

  private async pollPositions(served: readonly Served[]): Promise<void> {
    const { documents, readSide } = this.deps;
    const checkpoints = await documents.checkpoints(served.map(keyOf));
    const positions = served.map((each) => [each.projector.name, checkpoints.get(keyOf(each)) ?? 0] as const);
    readSide.serve(Math.min(...positions.map(([, position]) => position)));
    for (const [projector, position] of positions) readSide.reach(projector, position);
  }

  private collectionsOf({ projector, generation }: Served): readonly ServedCollection[] {
    return projector.collections.map(({ name }) => [name, physicalName(name, generation.version, generation.number), this.deps.readSide.of(name)]);
  }

  /** Right after a write no read model can contain it yet, so the poll is delayed a little and covers every caller that starts to wait in the meantime. */
  private async pauseUntilAwaited(signal: AbortSignal): Promise<void> {
    if (!this.deps.readSide.isAwaited && !signal.aborted) await this.awaited();
    await pauseUnlessAborted(this.isUnavailable ? UNAVAILABLE_MS : AWAITED_MS, signal);
  }

  private awaited(): Promise<void> {
    return new Promise((awake) => {
      const timer = setTimeout(awake, this.served === null ? UNAVAILABLE_MS : IDLE_MS);
      this.wake = () => {
        clearTimeout(timer);
        awake();
      };
    });
  }
}

const keyOf = ({ projector, generation }: Served): string => generationKey(projector.name, generation.version, generation.number);

const isSame = (some: readonly Served[], others: readonly Served[] | null): boolean =>
  others !== null && some.every(({ generation }, at) => generation.number === others[at]?.generation.number);

/** Makes the collections that another process has created known to this one. */
async function declare(documents: DocumentStore, { projector, generation }: Served): Promise<void> {
  for (const { name, indexes } of projector.collections) {
    await documents.declare({ name: physicalName(name, generation.version, generation.number), indexes });
  }
}
