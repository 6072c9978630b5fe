import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Collection, Db, Document, Timestamp } from 'mongodb';
import { DeadlineExceeded, within } from '../health/deadline.js';
import { DiskFull, StoreAway } from '../store-errors.js';
import { asStoreError, isThere } from './mongo-errors.js';
import { WatchedClient } from './watched-client.js';

/** Every call is answered, or given up, within this time. */
const CALL_MS = 3_000;
/** Building an index over what is there already may take as long as the server shows that it is alive. */
const BUILD_MS = 600_000;

/** An index: where it is kept, what it is called, its fields in their order. */
export interface MongoIndex {
  readonly name: string;
  readonly fields: readonly string[];
}

/**
 * The one connection of a process to MongoDB: its pool, its deadlines, its errors. Every call runs in a session that is told the latest time this process
 * has seen, so that it reads its own writes, and what was written before them, also from a primary elected since.
 */
export class MongoConnection {
  #seen: Timestamp | undefined;
  #known: Promise<Set<string>> | undefined;
  readonly #ensured = new Map<string, Promise<void>>();
  /** Those that were replaced and are being closed. */
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  private constructor(
    private readonly url: string,
    private watched: WatchedClient,
    private readonly isReplicaSet: boolean,
  ) {}

  /**
   * Connects; the database is the one the address names, `roughmix` when it names none.
   * @throws StoreAway when no server that takes writes answers within 2 s, Error for an address that is none: never with the user or password in it
   */
  static async open({ url }: { readonly url: string }): Promise<MongoConnection> {
    const watched = new WatchedClient(url);
    try {
      const hello = await within(
        CALL_MS * 2,
        watched.client.connect().then(() => watched.db.command({ hello: 1 })),
      );
      return new MongoConnection(url, watched, typeof hello.setName === 'string');
    } catch (error) {
      await watched.close();
      throw asCallError(error, CALL_MS * 2);
    }
  }

  collection<Stored extends Document>(name: string): Collection<Stored> {
    return this.db.collection<Stored>(name);
  }

  /**
   * Makes one call; `work` hands the session on to the driver.
   * @throws StoreAway (what was to be written may or may not be), DiskFull, Error for what the server will never do
   */
  async call<Answer>(work: (session: ClientSession) => Promise<Answer>, deadlineMs = CALL_MS): Promise<Answer> {
    if (this.#isClosed) throw new StoreAway('the connection to MongoDB is closed');
    const { watched } = this;
    try {
      return await within(deadlineMs, this.inSession(watched, work));
    } catch (error) {
      if (error instanceof DeadlineExceeded) watched.noteHung();
      const told = asCallError(error, deadlineMs);
      // What was asked of the one before ends in words of the driver's that say nothing.
      if (watched !== this.watched && !(told instanceof DiskFull)) throw new StoreAway('the connection to MongoDB was made anew');
      if (told instanceof StoreAway && watched.isStuck) this.renew();
      throw told;
    }
  }

  /** Makes sure that a collection and its indexes exist; repeating it asks nobody. Resolves when the indexes hold what is there. @throws StoreAway, DiskFull */
  async ensure(name: string, indexes: readonly MongoIndex[]): Promise<void> {
    const key = JSON.stringify([name, indexes]);
    const ensuring = this.#ensured.get(key) ?? this.make(name, indexes);
    this.#ensured.set(key, ensuring);
    try {
      await ensuring;
    } catch (error) {
      this.#ensured.delete(key);
      throw error;
    }
  }

  /** The names of the collections that begin so, sorted. */
  async names(prefix: string): Promise<readonly string[]> {
    const found = await this.call((session) => this.db.listCollections({}, { nameOnly: true, session, batchSize: 10_000 }).toArray());
    return found
      .map(({ name }) => name)
      .filter((name) => name.startsWith(prefix))
      .toSorted();
  }

  /** Removes a collection with everything in it; one that is not there is fine. */
  async drop(name: string): Promise<void> {
    for (const key of this.#ensured.keys()) if (key.startsWith(`[${JSON.stringify(name)},`)) this.#ensured.delete(key);
    (await this.#known)?.delete(name);
    await this.call((session) => this.db.dropCollection(name, { session }));
  }

  /** Whether the server answers. @throws StoreAway */
  async ping(): Promise<void> {
    await this.call((session) => this.db.command({ ping: 1 }, { session }));
  }

  /** Ends within a few seconds, whatever the server does. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.watched.close(), ...this.#ending]);
  }

  private get db(): Db {
    return this.watched.db;
  }

  /** Takes another client in the place of one that is stuck. */
  private renew(): void {
    if (this.#isClosed) return;
    const ending = this.watched.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    this.watched = new WatchedClient(this.url);
  }

  private async inSession<Answer>({ client }: WatchedClient, work: (session: ClientSession) => Promise<Answer>): Promise<Answer> {
    const session = client.startSession({ causalConsistency: true });
    try {
      if (this.#seen !== undefined) session.advanceOperationTime(this.#seen);
      return await work(session);
    } finally {
      const { operationTime } = session;
      if (operationTime && (this.#seen === undefined || operationTime.greaterThan(this.#seen))) this.#seen = operationTime;
      await session.endSession();
    }
  }

  private async make(name: string, indexes: readonly MongoIndex[]): Promise<void> {
    this.#known ??= this.names('').then((names) => new Set(names));
    const known = await this.#known.catch((error: unknown) => {
      this.#known = undefined;
      throw error;
    });
    if (indexes.length === 0 && !known.has(name)) await this.patiently({ create: name });
    if (indexes.length > 0) await this.patiently(this.createIndexes(name, indexes));
    known.add(name);
  }

  private createIndexes(name: string, indexes: readonly MongoIndex[]): Document {
    return {
      createIndexes: name,
      indexes: indexes.map((index) => ({ name: index.name, key: Object.fromEntries(index.fields.map((field) => [field, 1])) })),
      // A member that is down would otherwise hold the build up until it is back.
      ...(this.isReplicaSet ? { commitQuorum: 'majority' } : {}),
    };
  }

  /** Gives a command as long as it takes while the server answers others: cut off, an index would begin again. */
  private async patiently(command: Document): Promise<void> {
    const ending = new AbortController();
    const done = this.call(async (session) => {
      const options = { session, socketTimeoutMS: BUILD_MS };
      try {
        await this.db.command({ ...command, writeConcern: { w: 'majority' } }, options);
      } catch (error) {
        if (!isThere(error)) throw error;
      }
    }, BUILD_MS).finally(() => ending.abort());
    await Promise.race([done, this.watch(ending.signal)]);
    await done;
  }

  /** Ends when told to. @throws StoreAway as soon as the server does not answer */
  private async watch(signal: AbortSignal): Promise<void> {
    for (;;) {
      // The end of what is watched ends the pause with an error.
      await pause(CALL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.ping();
    }
  }
}

function asCallError(error: unknown, deadlineMs: number): Error {
  return error instanceof DeadlineExceeded ? new StoreAway(`MongoDB did not answer within ${deadlineMs} ms`) : asStoreError(error);
}
