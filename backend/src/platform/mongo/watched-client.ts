import { type Db, type DbOptions, MongoClient, type MongoClientOptions, ReadConcern } from 'mongodb';
import { within } from '../health/deadline.js';

/** How long the driver may take to close. */
const CLOSE_MS = 3_000;
const OPTIONS: MongoClientOptions = {
  appName: 'roughmix',
  // Shorter than our call deadline, so that the driver's own error arrives first.
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  socketTimeoutMS: 2_500,
  waitQueueTimeoutMS: 2_500,
  heartbeatFrequencyMS: 1_000,
  maxPoolSize: 64,
  maxConnecting: 8,
  ignoreUndefined: true,
};
/** Longer than connectTimeoutMS plus heartbeatFrequencyMS, within which a working monitor finishes or abandons a check. */
const SILENT_MS = 3_500;
/** Hung calls tolerated: each may hold one of the 64 pooled connections forever. */
const MAX_HUNG = 16;

/** Writes are acknowledged by a majority's journals, reads are majority reads on the primary. Connection strings cannot weaken this. */
const CONCERNS: DbOptions = { writeConcern: { w: 'majority', journal: true }, readConcern: new ReadConcern('majority'), readPreference: 'primary' };

/**
 * A driver client that detects when it is stuck. The driver (checked in 7.8 and 7.9) may write to a socket that just broke and wait forever for it to drain.
 * A call in this state holds its connection, and a monitor in this state never checks again, so its server remains unknown although it is up.
 * A client whose first call could not connect also never retries: it fails every later call at once.
 */
export class WatchedClient {
  readonly client: MongoClient;
  readonly db: Db;
  /** Last activity of each server's monitor, by address, in milliseconds of a monotonic clock. */
  readonly #beats = new Map<string, number>();
  #hung = 0;
  #isOver = false;

  /** Connects with the first call. @throws Error for a malformed address, without the user or password */
  constructor(url: string) {
    this.client = clientOf(url);
    this.db = this.client.db(databaseOf(url), CONCERNS);
    const beat = ({ connectionId }: { readonly connectionId: string }) => void this.#beats.set(connectionId, performance.now());
    this.client.on('serverHeartbeatStarted', beat).on('serverHeartbeatSucceeded', beat).on('serverHeartbeatFailed', beat);
    this.client.on('topologyClosed', () => void (this.#isOver = true));
    this.client.on('serverClosed', ({ address }) => void this.#beats.delete(address));
  }

  /** Whether the client must be replaced: it could not connect, a monitor is inactive, or too many calls hang. */
  get isStuck(): boolean {
    const now = performance.now();
    return this.#isOver || this.#hung >= MAX_HUNG || [...this.#beats.values()].some((at) => now - at > SILENT_MS);
  }

  /** Counts a call that the driver did not end by its timeouts. */
  noteHung(): void {
    this.#hung += 1;
  }

  /** Resolves within a few seconds, whatever the server does. */
  async close(): Promise<void> {
    try {
      await within(CLOSE_MS, this.client.close());
    } catch {
      // Do not wait for a server that does not answer; its connections end by their own timeouts.
    }
  }
}

function clientOf(url: string): MongoClient {
  let reason = '';
  try {
    return new MongoClient(url, OPTIONS);
  } catch (error) {
    // The driver's message may contain the password.
    if (error instanceof Error && !url.includes('@')) reason = `: ${error.message}`;
  }
  throw new Error(`the MongoDB address is invalid${reason}`);
}

/** Defaults to `roughmix`; the driver's default would be `test`. */
function databaseOf(url: string): string {
  const [, named = ''] = /^[^/]+:\/\/[^/?]*\/([^?]*)/.exec(url) ?? [];
  return named === '' ? 'roughmix' : decodeURIComponent(named);
}
