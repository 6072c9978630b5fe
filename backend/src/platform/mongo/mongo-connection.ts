import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Collection, CommandOperationOptions, Db, Document, Timestamp } from 'mongodb';
import { DeadlineExceeded, within } from '../health/deadline.js';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';
import { asStoreError, isThere } from './mongo-errors.js';
import { WatchedClient } from './watched-client.js';

/** The default timeout of a call. */
const CALL_MS = 3_000;
/** The timeout of an index build, as long as the server keeps answering pings. */
const BUILD_MS = 600_000;

/** An index: its name and its fields in order. */
export interface MongoIndex {
  readonly name: string;
  readonly fields: readonly string[];
}

/** `isCausal`: reads what this process has seen before; false where a command does not allow it. */
interface CallOptions {
  readonly deadlineMs?: number;
  readonly isCausal?: boolean;
}

/**
 * A process's only connection to MongoDB: pool, deadlines and error mapping. Every call runs in a session advanced to the latest cluster time this process
 * has seen, so it reads its own writes and everything before them, even from a newly elected primary.
 */
export class MongoConnection {
  #seen: Timestamp | undefined;
  #known: Promise<Set<string>> | undefined;
  readonly #ensured = new Map<string, Promise<void>>();
  /** Replaced clients that are being closed. */
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  private constructor(
    private readonly url: string,
    private watched: WatchedClient,
    private readonly isReplicaSet: boolean,
  ) {}

  /**
   * Connects. Uses the database in the address, or `roughmix`.
   * @throws ServiceUnavailable when no writable server answers within 2 s, Error for a malformed address; never with the user or password
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
   * Makes one call; `work` passes the session to the driver.
   * @throws ServiceUnavailable (a write may or may not have taken effect), DiskFull, Error for calls the server will never accept
   */
  async call<Answer>(work: (session: ClientSession) => Promise<Answer>, { deadlineMs = CALL_MS, isCausal = true }: CallOptions = {}): Promise<Answer> {
    if (this.#isClosed) throw new ServiceUnavailable('the connection to MongoDB is closed');
    const { watched } = this;
    try {
      return await within(deadlineMs, this.inSession(watched, isCausal, work));
    } catch (error) {
      if (error instanceof DeadlineExceeded) watched.noteHung();
      const mapped = asCallError(error, deadlineMs);
      // Calls on a replaced client fail with meaningless driver errors.
      if (watched !== this.watched && !(mapped instanceof DiskFull)) throw new ServiceUnavailable('the connection to MongoDB was replaced');
      if (mapped instanceof ServiceUnavailable && watched.isStuck) this.renew();
      throw mapped;
    }
  }

  /**
   * As {@link call}, for reading one record by its id as a majority of the replica set has it. A single server cannot be deposed, and does not know this kind of read.
   * Its session is not causal, because servers refuse a cluster time beside this read concern.
   */
  async linearizable<Answer>(work: (options: CommandOperationOptions) => Promise<Answer>): Promise<Answer> {
    if (!this.isReplicaSet) return this.call((session) => work({ session }));
    return this.call((session) => work({ session, readConcern: 'linearizable', maxTimeMS: CALL_MS }), { isCausal: false });
  }

  /** Creates a collection and its indexes if missing, and resolves when the indexes are built. Repeated calls are cached. @throws ServiceUnavailable, DiskFull */
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

  /** The names of the collections with a prefix, sorted. */
  async names(prefix: string): Promise<readonly string[]> {
    const found = await this.call((session) => this.db.listCollections({}, { nameOnly: true, session, batchSize: 10_000 }).toArray());
    return found
      .map(({ name }) => name)
      .filter((name) => name.startsWith(prefix))
      .toSorted();
  }

  /** Drops a collection if it exists. */
  async drop(name: string): Promise<void> {
    for (const key of this.#ensured.keys()) if (key.startsWith(`[${JSON.stringify(name)},`)) this.#ensured.delete(key);
    (await this.#known)?.delete(name);
    await this.call((session) => this.db.dropCollection(name, { session }));
  }

  /** Whether the server answers. @throws ServiceUnavailable */
  async ping(): Promise<void> {
    await this.call((session) => this.db.command({ ping: 1 }, { session }));
  }

  /** Resolves within a few seconds, whatever the server does. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.watched.close(), ...this.#ending]);
  }

  private get db(): Db {
    return this.watched.db;
  }

  /** Replaces a stuck client. */
  private renew(): void {
    if (this.#isClosed) return;
    const ending = this.watched.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    this.watched = new WatchedClient(this.url);
  }

  private async inSession<Answer>({ client }: WatchedClient, isCausal: boolean, work: (session: ClientSession) => Promise<Answer>): Promise<Answer> {
    const session = client.startSession({ causalConsistency: isCausal });
    try {
      if (isCausal && this.#seen !== undefined) session.advanceOperationTime(this.#seen);
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
      // Otherwise a member that is down would block the build.
      ...(this.isReplicaSet ? { commitQuorum: 'majority' } : {}),
    };
  }

  /** Lets a command run as long as the server answers pings. An index build that is cut off would start over. */
  private async patiently(command: Document): Promise<void> {
    const ending = new AbortController();
    const done = this.call(
      async (session) => {
        const options = { session, socketTimeoutMS: BUILD_MS };
        try {
          await this.db.command({ ...command, writeConcern: { w: 'majority' } }, options);
        } catch (error) {
          if (!isThere(error)) throw error;
        }
      },
      { deadlineMs: BUILD_MS },
    ).finally(() => ending.abort());
    await Promise.race([done, this.watch(ending.signal)]);
    await done;
  }

  /** Pings the server until the signal aborts. @throws ServiceUnavailable as soon as a ping fails */
  private async watch(signal: AbortSignal): Promise<void> {
    for (;;) {
      // An abort rejects the pause.
      await pause(CALL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.ping();
    }
  }
}

function asCallError(error: unknown, deadlineMs: number): Error {
  return error instanceof DeadlineExceeded ? new ServiceUnavailable(`MongoDB did not answer within ${deadlineMs} ms`) : asStoreError(error);
}
