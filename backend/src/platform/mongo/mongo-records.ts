import { randomBytes } from 'node:crypto';
import type { Collection } from 'mongodb';
import { StoreAway } from '../store-errors.js';
import type { MongoConnection } from './mongo-connection.js';
import { isDuplicate } from './mongo-errors.js';

/** What is stored under an id, with the version it has now. */
export interface StoredRecord {
  readonly _id: string;
  readonly version: number;
}

/** Losing to others so often in a row means that something is wrong. */
const TRIES = 200;

/** A version that nobody holds: 53 random bits need neither a counter nor a trace of what was removed, and no two processes have to agree. */
const newVersion = (): number => Number(randomBytes(8).readBigUInt64BE() >> 11n);

/**
 * Records that are written by comparing versions alone. A write that was given up (the server stood still) and comes through late finds another version
 * by then, and so never undoes what was acknowledged after it.
 */
export class MongoRecords<Stored extends StoredRecord> {
  constructor(
    private readonly connection: MongoConnection,
    private readonly name: string,
  ) {}

  async get(id: string): Promise<Stored | null> {
    const found: StoredRecord | null = await this.connection.call((session) => this.records.findOne({ _id: id }, { session }));
    return found as Stored | null;
  }

  /** Puts a record where none is. False when the id is taken. */
  async insert(record: Omit<Stored, 'version'> & { readonly _id: string }): Promise<boolean> {
    return this.connection.call(async (session) => {
      try {
        await this.records.insertOne({ ...record, version: newVersion() }, { session });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    });
  }

  /** Puts a record in the place of one version of it. False when that is gone. */
  async replace(version: number, { _id, ...record }: Omit<Stored, 'version'> & { readonly _id: string }): Promise<boolean> {
    const next = { ...record, version: newVersion() };
    const { matchedCount } = await this.connection.call((session) => this.records.replaceOne({ _id, version }, next, { session }));
    return matchedCount === 1;
  }

  /** Removes one version of a record. False when that is gone. */
  async remove(id: string, version: number): Promise<boolean> {
    const { deletedCount } = await this.connection.call((session) => this.records.deleteOne({ _id: id, version }, { session }));
    return deletedCount === 1;
  }

  /** Puts what `next` makes of a record in its place, from the newest one as often as somebody else was faster. @throws what `next` throws, StoreAway */
  async change(id: string, next: (stored: Stored | null) => Omit<Stored, 'version'> & { readonly _id: string }): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const stored = await this.get(id);
      const record = next(stored);
      if (await (stored === null ? this.insert(record) : this.replace(stored.version, record))) return;
    }
    throw new StoreAway('others keep writing the same record');
  }

  /** Records that match, in the order of their ids or as `sort` says, at most `limit`. */
  async find(filter: Readonly<Record<string, unknown>>, limit: number, sort: Readonly<Record<string, 1>> = { _id: 1 }): Promise<readonly Stored[]> {
    if (limit <= 0) return [];
    const options = { sort, limit, batchSize: limit + 1 } as const;
    const found = await this.connection.call((session) => this.records.find(filter, { ...options, session }).toArray());
    return found.map((each) => each as StoredRecord as Stored);
  }

  /** Removes every record that matches, `page` of them at a time; says how many. What got another version meanwhile is looked at again. */
  async removeAll(filter: Readonly<Record<string, unknown>>, page: number): Promise<number> {
    const options = { projection: { version: 1 }, limit: page, batchSize: page + 1 } as const;
    for (let removed = 0; ;) {
      const found = await this.connection.call((session) => this.records.find(filter, { ...options, session }).toArray());
      if (found.length === 0) return removed;
      const deletions = found.map(({ _id, version }) => ({ deleteOne: { filter: { _id, version } } }));
      const { deletedCount } = await this.connection.call((session) => this.records.bulkWrite(deletions, { ordered: false, session }));
      removed += deletedCount;
    }
  }

  private get records(): Collection<StoredRecord> {
    return this.connection.collection<StoredRecord>(this.name);
  }
}
