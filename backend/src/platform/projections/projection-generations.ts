import type { ParkedStream } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Projector } from '../../kernel/projector.js';
import type { CollectionSpec, DocumentStore } from '../documents/documents.js';
import type { Term } from '../leases/lease.js';
import type { BatchDocuments } from './batch-documents.js';
import { completePlan, dropPlan } from './save-plan.js';

/** One set of a projector's documents: the served one, or one that is being built to replace it. */
export interface Generation {
  readonly projector: Projector;
  readonly number: number;
  /** The name of its checkpoint. */
  readonly key: string;
  checkpoint: Position;
  readonly parked: Map<string, ParkedStream>;
  /** The documents that its last batch saved. */
  recent: BatchDocuments | null;
}

/** What is stored about a generation: enough for another version of the program to drop it. */
export interface StoredGeneration {
  readonly version: number;
  readonly number: number;
  readonly collections: readonly string[];
}

/** What is stored about a projector. `discarded`: generations whose documents may not all have been dropped yet. */
export interface StoredProjector {
  readonly last: number;
  readonly served: StoredGeneration | null;
  readonly building: StoredGeneration | null;
  readonly discarded: readonly StoredGeneration[];
}

/** Whether a generation is loaded in bulk: see {@link CollectionSpec}. */
type Loading = Pick<CollectionSpec, 'isLoading'>;

const FACT = 'generations';
/** The name of the fact that stores which log the read models were built from. */
export const LOG_FACT = 'log';
const UNKNOWN: StoredProjector = { last: 0, served: null, building: null, discarded: [] };

/** The name under which a collection of one generation is stored. */
export const physicalName = (collection: string, version: number, generation: number): string => `${collection}_v${version}_g${generation}`;

/** The name of a generation's checkpoint. */
export const generationKey = (projector: string, version: number, generation: number): string => `${projector}_v${version}_g${generation}`;

/** The name of the fact that stores a generation's parked streams (JSON). It is deleted with the generation. */
export const parkedFact = (key: string): string => `parked ${key}`;

/** The stored generations, by projector. */
export async function storedProjectors(documents: DocumentStore): Promise<Readonly<Record<string, StoredProjector>>> {
  return JSON.parse((await documents.fact(FACT)) ?? '{}') as Readonly<Record<string, StoredProjector>>;
}

/** A generation's parked streams, oldest event first. */
export async function parkedStreams(documents: DocumentStore, key: string): Promise<readonly ParkedStream[]> {
  return JSON.parse((await documents.fact(parkedFact(key))) ?? '[]') as readonly ParkedStream[];
}

/**
 * The generations of every projector's documents. Each change is stored in a fact before it is made, so after an interruption the next start completes it
 * or cleans it up.
 */
export class Generations {
  private readonly projectors = new Map<string, StoredProjector>();

  private writing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly documents: DocumentStore,
    private readonly fence: number | null,
  ) {}

  /** With a fence, the fact is written back once it has been read, so a former lease holder can no longer change it. @throws Fenced, LeaseLost */
  static async open(documents: DocumentStore, { fence }: Pick<Term, 'fence'>): Promise<Generations> {
    const generations = new Generations(documents, fence);
    const stored = await storedProjectors(documents);
    if (fence !== null) await documents.setFact(FACT, JSON.stringify(stored));
    for (const [name, each] of Object.entries(stored)) generations.projectors.set(name, each);
    return generations;
  }

  of(projector: string): StoredProjector {
    return this.projectors.get(projector) ?? UNKNOWN;
  }

  /** The names of the projectors that have documents, including those of other program versions. */
  names(): readonly string[] {
    return [...this.projectors.keys()];
  }

  async highestCheckpoint(projector: string): Promise<Position> {
    const { served, building } = this.of(projector);
    const stored = [served, building].filter((each) => each !== null);
    return Math.max(0, ...(await Promise.all(stored.map(({ version, number }) => this.documents.checkpoint(generationKey(projector, version, number))))));
  }

  /** Creates an empty generation of the projector's current version beside the served one. `isLoading`: it will be loaded in bulk. */
  async begin(projector: Projector, options?: Loading): Promise<Generation> {
    const collections = projector.collections.map(({ name }) => name);
    const { building } = await this.write(projector.name, ({ last, served, building: before, discarded }) => ({
      last: last + 1,
      served,
      building: { version: projector.version, number: last + 1, collections },
      discarded: [...discarded, ...some(before)],
    }));
    if (building === null) throw new Error(`no generation of ${projector.name} was started`);
    return this.resume(projector, building, options);
  }

  /** Opens a stored generation, and completes its last save if that was interrupted. */
  async resume(projector: Projector, { number }: StoredGeneration, options?: Loading): Promise<Generation> {
    await this.declare({ projector, number }, options);
    const key = generationKey(projector.name, projector.version, number);
    await completePlan(this.documents, key, this.fence);
    // The checkpoint first: if a former lease holder parks a stream in between, the event that it parked is delivered again.
    const checkpoint = await this.documents.checkpoint(key);
    const parked = await parkedStreams(this.documents, key);
    if (this.fence !== null) await this.documents.setFact(parkedFact(key), JSON.stringify(parked));
    return { projector, number, key, checkpoint, parked: new Map(parked.map((each) => [each.stream, each])), recent: null };
  }

  /** Makes this the served generation; it remains so after a restart. */
  async serve({ projector, number }: Generation): Promise<void> {
    // Creates the indexes that a bulk load left out. They come first, so a served generation has them even after a crash in between.
    await this.declare({ projector, number });
    await this.write(projector.name, ({ last, served, building, discarded }) => {
      if (building?.number !== number) throw new Error(`generation ${number} of ${projector.name} is not being built`);
      return { last, served: building, building: null, discarded: [...discarded, ...some(served)] };
    });
  }

  async abandonBuilding(projector: string): Promise<void> {
    await this.write(projector, ({ building, discarded, ...rest }) => ({ ...rest, building: null, discarded: [...discarded, ...some(building)] }));
  }

  async abandonAll(projector: string): Promise<void> {
    await this.write(projector, ({ last, served, building, discarded }) => ({
      last,
      served: null,
      building: null,
      discarded: [...discarded, ...some(served), ...some(building)],
    }));
  }

  /** Drops replaced and abandoned generations: all, or only those with these numbers. */
  async dropDiscarded(projector: string, numbers?: readonly number[]): Promise<void> {
    const all = this.of(projector).discarded;
    for (const { version, number, collections } of numbers === undefined ? all : all.filter((each) => numbers.includes(each.number))) {
      const key = generationKey(projector, version, number);
      for (const collection of collections) await this.documents.drop(physicalName(collection, version, number), key);
      await this.documents.setFact(parkedFact(key), '[]');
      await dropPlan(this.documents, key);
      await this.write(projector, ({ discarded, ...rest }) => ({ ...rest, discarded: discarded.filter((each) => each.number !== number) }));
    }
  }

  /** Drops documents of former generations that were dropped already, but recreated by a save that was in progress in another process. */
  async dropOrphans({ name, collections }: Projector): Promise<void> {
    const { last, served, building, discarded } = this.of(name);
    const named = new Set([...some(served), ...some(building), ...discarded].map(({ number }) => number));
    const own = new Set(collections.map((each) => each.name));
    for (const physical of await this.documents.collections()) {
      const [, collection = '', number = ''] = /^(.+)_v\d+_g(\d+)$/.exec(physical) ?? [];
      if (own.has(collection) && Number(number) <= last && !named.has(Number(number))) await this.documents.drop(physical);
    }
  }

  private async declare({ projector, number }: Pick<Generation, 'projector' | 'number'>, options: Loading = {}): Promise<void> {
    for (const { name, indexes } of projector.collections) {
      await this.documents.declare({ name: physicalName(name, projector.version, number), indexes, ...options });
    }
  }

  /** Stores one change at a time. A change that could not be stored has no effect. */
  private write(projector: string, change: (stored: StoredProjector) => StoredProjector): Promise<StoredProjector> {
    const written = this.writing.then(async () => {
      const stored = change(this.of(projector));
      await this.documents.setFact(FACT, JSON.stringify(Object.fromEntries([...this.projectors, [projector, stored]])));
      this.projectors.set(projector, stored);
      return stored;
    });
    this.writing = written.catch(() => undefined);
    return written;
  }
}

const some = (stored: StoredGeneration | null): readonly StoredGeneration[] => (stored === null ? [] : [stored]);
