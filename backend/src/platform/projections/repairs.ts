import type { ParkedStream } from '@roughmix/contracts/admin/admin.view.js';
import type { Projector } from '../../kernel/projector.js';
import type { EventStore } from '../event-store/event-store.js';
import type { OpenedEvents } from '../streams/opened-events.js';
import type { Generation, Generations, StoredGeneration } from './projection-generations.js';

/** The log, to check whether the event that parked a stream can be read now, and the generations. */
export interface RepairDeps {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly opened: OpenedEvents;
  readonly generations: Generations;
}

/** The served generation of a projector, and the one being built beside it. */
export interface PreparedGenerations {
  readonly served: Generation;
  readonly building: Generation | null;
}

/** Chooses the generations that a projector starts with, and starts a rebuild of those that an earlier version of the program left incomplete. */
export class Repairs {
  /** Whether an event can be read, by its position. Cached, because several projectors park a stream at the same event. */
  private readonly readable = new Map<number, Promise<boolean>>();

  constructor(private readonly deps: RepairDeps) {}

  /**
   * Returns the generation to serve, and the one that an interrupted rebuild left behind, if any. If no generation of the projector's version is served yet,
   * one is built first. A generation with a parked stream whose event can be read now would never show the later events, so another one is built; if the
   * incomplete one is served, it stays served until then.
   */
  async prepare(projector: Projector): Promise<PreparedGenerations> {
    const { generations } = this.deps;
    const { served, building } = generations.of(projector.name);
    const isOfVersion = building?.version === projector.version;
    if (building !== null && !isOfVersion) await generations.abandonBuilding(projector.name);
    // In bulk if the program cannot serve before it is built. Beside a served one, documents are indexed as they are saved: creating the indexes at the end would delay saves.
    const isLoading = served?.version !== projector.version;
    const unfinished = building !== null && isOfVersion ? await this.unfinished(projector, building, isLoading) : null;
    if (isLoading) return { served: unfinished ?? (await generations.begin(projector, { isLoading })), building: null };
    const resumed = await generations.resume(projector, served);
    const isIncomplete = unfinished === null && (await this.hasReadable(resumed));
    return { served: resumed, building: isIncomplete ? await generations.begin(projector) : unfinished };
  }

  /** The generation being built, or a new one if it has skipped events that can be read now. */
  private async unfinished(projector: Projector, building: StoredGeneration, isLoading: boolean): Promise<Generation> {
    const { generations } = this.deps;
    const resumed = await generations.resume(projector, building, { isLoading });
    return (await this.hasReadable(resumed)) ? generations.begin(projector, { isLoading }) : resumed;
  }

  private async hasReadable({ parked }: Generation): Promise<boolean> {
    for (const each of parked.values()) if (await this.isReadable(each)) return true;
    return false;
  }

  /** If the projector itself failed, the event could always be read: an operator starts the rebuild once the projector is fixed. */
  private isReadable({ position, reason }: ParkedStream): Promise<boolean> {
    if (reason === 'projection') return Promise.resolve(false);
    const known = this.readable.get(position) ?? this.opens(position);
    this.readable.set(position, known);
    return known;
  }

  private async opens(position: number): Promise<boolean> {
    const { store, opened } = this.deps;
    const [answer] = await opened.openEach(await store.readAll({ after: position - 1, limit: 1 }));
    return answer?.event?.position === position;
  }
}
