import { type Db, type DbOptions, MongoClient, type MongoClientOptions, ReadConcern } from 'mongodb';
import { within } from '../health/deadline.js';

/** How long the driver may take to close. */
const CLOSE_MS = 3_000;
const OPTIONS: MongoClientOptions = {
  appName: 'roughmix',
  // What the driver waits for is shorter than a call may take, so that its own words about a failure come through.
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  socketTimeoutMS: 2_500,
  waitQueueTimeoutMS: 2_500,
  heartbeatFrequencyMS: 1_000,
  maxPoolSize: 64,
  maxConnecting: 8,
  ignoreUndefined: true,
};
/** A monitor hears from its server, or gives a check up, within connectTimeoutMS and heartbeatFrequencyMS together; this is longer. */
const SILENT_MS = 3_500;
/** Each call that the driver never ended may hold one of its 64 connections for good. */
const MOST_HUNG = 16;

/** Acknowledged means: on the disks of most members; read means: what most members have, by the one that writes. An address cannot ask for less. */
const CONCERNS: DbOptions = { writeConcern: { w: 'majority', journal: true }, readConcern: new ReadConcern('majority'), readPreference: 'primary' };

/**
 * A client of the driver, and whether it still works. The driver (7.8 and 7.9 were looked at) writes on a socket that broke a moment before and waits for
 * ever that it drains: a call that meets this holds its connection, and a monitor that does never looks again, so that its server stays unknown though it is there.
 * And a client that could not connect with its first call never tries again: it fails every later one at once.
 */
export class WatchedClient {
  readonly client: MongoClient;
  readonly db: Db;
  /** When each server's monitor was last at work, by address, in milliseconds of a clock that never goes back. */
  readonly #beats = new Map<string, number>();
  #hung = 0;
  #isOver = false;

  /** Connects with the first call. @throws Error for an address that is none: never with the user or password in it */
  constructor(url: string) {
    this.client = clientOf(url);
    this.db = this.client.db(databaseOf(url), CONCERNS);
    const beat = ({ connectionId }: { readonly connectionId: string }) => void this.#beats.set(connectionId, performance.now());
    this.client.on('serverHeartbeatStarted', beat).on('serverHeartbeatSucceeded', beat).on('serverHeartbeatFailed', beat);
    this.client.on('topologyClosed', () => void (this.#isOver = true));
    this.client.on('serverClosed', ({ address }) => void this.#beats.delete(address));
  }

  /** Whether it has to be replaced: it could not connect, a monitor does nothing any more, or too many calls were never ended. */
  get isStuck(): boolean {
    const now = performance.now();
    return this.#isOver || this.#hung >= MOST_HUNG || [...this.#beats.values()].some((at) => now - at > SILENT_MS);
  }

  /** Notes a call that the driver did not end in its own time. */
  noteHung(): void {
    this.#hung += 1;
  }

  /** Ends within a few seconds, whatever the server does. */
  async close(): Promise<void> {
    try {
      await within(CLOSE_MS, this.client.close());
    } catch {
      // Nothing waits for a server that does not answer: its connections end by their own deadlines.
    }
  }
}

function clientOf(url: string): MongoClient {
  let reason = '';
  try {
    return new MongoClient(url, OPTIONS);
  } catch (error) {
    // What the driver says of an address with a password may have it in it.
    if (error instanceof Error && !url.includes('@')) reason = `: ${error.message}`;
  }
  throw new Error(`the address of MongoDB cannot be used${reason}`);
}

/** The driver calls the database `test` when the address names none. */
function databaseOf(url: string): string {
  const [, named = ''] = /^[^/]+:\/\/[^/?]*\/([^?]*)/.exec(url) ?? [];
  return named === '' ? 'roughmix' : decodeURIComponent(named);
}
