import { setTimeout as pause } from 'node:timers/promises';
import type { Projector } from '../../kernel/projector.js';
import type { DocumentStore } from '../documents/documents.js';
import type { EventStore } from '../event-store/event-store.js';
import { generationKey, LOG_FACT, parkedStreams, physicalName, type StoredGeneration, storedProjectors } from './projection-generations.js';
import type { Pointer, ReadModels, ServedCollection } from './read-models.js';
import type { ReadSide } from './read-side.js';
import type { Logger } from '../logger.js';

/** What the follower reads, and what it updates. */
export interface FollowerParts {
  readonly store: Pick<EventStore, 'identity'>;
  readonly documents: DocumentStore;
  readonly reads: ReadModels;
  readonly readSide: ReadSide;
  readonly log: Logger;
}

/** Whose documents are followed. */
export interface Followed {
  readonly projectors: readonly Projector[];
  /** True while this process builds them itself: what is stored is then older than what it knows. */
  readonly isResting: () => boolean;
}

interface Served {
  readonly projector: Projector;
  readonly generation: StoredGeneration;
}

/** Poll intervals for the read models' positions, in milliseconds: while something waits for one, and while idle. */
const AWAITED_MS = 5;
const AWAY_MS = 50;
/** Poll interval for the served generations, and for positions while nothing waits: polls cost something in an idle process too. */
const LOOK_MS = 500;
/** Older results may point at dropped documents. Shorter than the time for which replaced documents are kept. */
const FRESH_MS = 3_500;

/**
 * Follows read models that another process builds, by polling what is stored: which generations are served, the position of each projector and which
 * streams it has parked. Pauses while this process builds them itself.
 */
export class ReadModelsFollower implements Pointer {
  private served: readonly Served[] | null = null;
  /** When the poll began that last read what is served, by the process's own clock. */
  private lookedAt = -Infinity;
  private looking: Promise<void> | null = null;
  private isAway = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly parts: FollowerParts,
    private readonly whose: Followed,
  ) {}

  isFresh(): boolean {
    return this.whose.isResting() || performance.now() - this.lookedAt < FRESH_MS;
  }

  /** Something waits for a position: the next poll comes soon. */
  hurry(): void {
    this.wake();
  }

  /** Polls until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    this.parts.readSide.track(this.whose.projectors);
    signal.addEventListener('abort', () => this.wake(), { once: true });
    while (!signal.aborted) {
      if (!this.whose.isResting()) await this.tryToLook();
      await this.pauseUntilAwaited(signal);
    }
  }

  /** @throws StoreAway */
  async look(): Promise<void> {
    if (this.whose.isResting()) return;
    this.looking ??= this.lookAtAll().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async tryToLook(): Promise<void> {
    try {
      if (this.served !== null && performance.now() - this.lookedAt < LOOK_MS) await this.lookHowFar(this.served);
      else await this.look();
      if (this.isAway) this.parts.log.info({}, 'read models are followed again');
      this.isAway = false;
    } catch (error) {
      if (!this.isAway) this.parts.log.error({ err: error }, 'read models cannot be followed, trying again');
      this.isAway = true;
    }
  }

  private async lookAtAll(): Promise<void> {
    const { documents, reads, readSide } = this.parts;
    const began = performance.now();
    const served = await this.servedNow();
    if (served !== null && !isSame(served, this.served)) for (const each of served) await declare(documents, each);
    if (this.whose.isResting()) return;
    if (served === null) {
      readSide.withdraw();
      reads.withdraw(this.whose.projectors.flatMap(({ collections }) => collections.map(({ name }) => name)));
    } else {
      const parked = await Promise.all(served.map((each) => parkedStreams(documents, keyOf(each))));
      if (this.whose.isResting()) return;
      readSide.isBuiltHere = false;
      served.forEach(({ projector }, at) => readSide.parkedBy(projector.name, new Set(parked[at]?.map(({ stream }) => stream))));
      reads.serve(served.flatMap((each) => this.collectionsOf(each)));
      await this.lookHowFar(served);
    }
    this.served = served;
    this.lookedAt = began;
  }

  /** Null unless every projector of this program has documents of its version, of this log. */
  private async servedNow(): Promise<readonly Served[] | null> {
    const { documents, store } = this.parts;
    const [log, stored] = await Promise.all([documents.fact(LOG_FACT), storedProjectors(documents)]);
    const { projectors } = this.whose;
    const served = projectors.flatMap((projector) => {
      const generation = stored[projector.name]?.served ?? null;
      return generation?.version === projector.version ? [{ projector, generation }] : [];
    });
    return log === store.identity && served.length === projectors.length ? served : null;
  }

  private async lookHowFar(served: readonly Served[]): Promise<void> {
    const { documents, readSide } = this.parts;
    const checkpoints = await documents.checkpoints(served.map(keyOf));
    const positions = served.map((each) => [each.projector.name, checkpoints.get(keyOf(each)) ?? 0] as const);
    readSide.serve(Math.min(...positions.map(([, position]) => position)));
    for (const [projector, position] of positions) readSide.reach(projector, position);
  }

  private collectionsOf({ projector, generation }: Served): readonly ServedCollection[] {
    return projector.collections.map(({ name }) => [name, physicalName(name, generation.version, generation.number), this.parts.readSide.of(name)]);
  }

  /** A new write is in no read model yet, so the poll is delayed a moment and serves everything that starts to wait until then. */
  private async pauseUntilAwaited(signal: AbortSignal): Promise<void> {
    if (!this.parts.readSide.isAwaited && !signal.aborted) await this.awaited();
    // An abort ends the pause with an error.
    await pause(this.isAway ? AWAY_MS : AWAITED_MS, undefined, { signal }).catch(() => undefined);
  }

  private awaited(): Promise<void> {
    return new Promise((awake) => {
      const timer = setTimeout(awake, this.served === null ? AWAY_MS : LOOK_MS);
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

/** Collections that another process declared are known to this one too. */
async function declare(documents: DocumentStore, { projector, generation }: Served): Promise<void> {
  for (const { name, indexes } of projector.collections) {
    await documents.declare({ name: physicalName(name, generation.version, generation.number), indexes });
  }
}
