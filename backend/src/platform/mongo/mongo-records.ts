import { randomBytes } from 'node:crypto';
import type { Collection } from 'mongodb';
import { ServiceUnavailable } from '../store-errors.js';
import type { MongoConnection } from './mongo-connection.js';
import { isDuplicate } from './mongo-errors.js';

/** A stored record and its current version. */
export interface StoredRecord {
  readonly _id: string;
  readonly version: number;
}

/** More lost races in a row than contention can explain. */
const TRIES = 200;

/** A unique version: 53 random bits need no counter, no memory of removed records and no coordination between processes. */
const newVersion = (): number => Number(randomBytes(8).readBigUInt64BE() >> 11n);

/**
 * Records written only by compare-and-swap on their version. A write that timed out and arrives late finds another version, so it never undoes a later
 * acknowledged write.
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

  /** As {@link get}, but never from a primary that was deposed without noticing. */
  async getLinearizable(id: string): Promise<Stored | null> {
    const found: StoredRecord | null = await this.connection.linearizable((options) => this.records.findOne({ _id: id }, options));
    return found as Stored | null;
  }

  /** Inserts a record. False if the id is taken. */
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

  /** Replaces one version of a record. False if it is no longer current. */
  async replace(version: number, { _id, ...record }: Omit<Stored, 'version'> & { readonly _id: string }): Promise<boolean> {
    const next = { ...record, version: newVersion() };
    const { matchedCount } = await this.connection.call((session) => this.records.replaceOne({ _id, version }, next, { session }));
    return matchedCount === 1;
  }

  /** Removes one version of a record. False if it is no longer current. */
  async remove(id: string, version: number): Promise<boolean> {
    const { deletedCount } = await this.connection.call((session) => this.records.deleteOne({ _id: id, version }, { session }));
    return deletedCount === 1;
  }

  /** Replaces a record with `next` of its newest version, retrying after lost races. @throws what `next` throws, ServiceUnavailable */
  async change(id: string, next: (stored: Stored | null) => Omit<Stored, 'version'> & { readonly _id: string }): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const stored = await this.get(id);
      const record = next(stored);
      if (await (stored === null ? this.insert(record) : this.replace(stored.version, record))) return;
    }
    throw new ServiceUnavailable('too many concurrent writes to the same record');
  }

  /** Matching records in id order or by `sort`, at most `limit`. */
  async find(filter: Readonly<Record<string, unknown>>, limit: number, sort: Readonly<Record<string, 1>> = { _id: 1 }): Promise<readonly Stored[]> {
    if (limit <= 0) return [];
    const options = { sort, limit, batchSize: limit + 1 } as const;
    const found = await this.connection.call((session) => this.records.find(filter, { ...options, session }).toArray());
    return found.map((each) => each as StoredRecord as Stored);
  }

  /** Removes every matching record, `page` at a time, and re-reads those that changed meanwhile. @returns how many */
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
