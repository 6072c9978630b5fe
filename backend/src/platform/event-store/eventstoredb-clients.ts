import { EventStoreDBClient } from '@eventstore/db-client';
import { DeadlineExceeded, within } from '../health/deadline.js';
import { addressOf, type EventStoreDbAddress } from './eventstoredb-address.js';
import { isConnectionLost, outcomeOf } from './eventstoredb-errors.js';

const RENEW_MS = 500;
const DISPOSE_MS = 500;
const PING_MS = 10_000;
const PINGS = 1_000;

/**
 * The current client. A client that lost its connection is replaced, because gRPC backs off for up to two minutes between attempts and shares that backoff among clients
 * with equal settings. A client that once got answers and is now silent is replaced too, as its connection may be dead.
 */
export class EventStoreDbClients {
  readonly #address: EventStoreDbAddress;
  #client: EventStoreDBClient;
  #made = 0;
  #madeAt = 0;
  #answeredAt = 0;

  /** Does not connect yet. @throws Error when the address is malformed */
  constructor(url: string) {
    this.#address = addressOf(url);
    this.#client = this.#make();
  }

  get credentials(): EventStoreDbAddress['credentials'] {
    return this.#address.credentials;
  }

  get current(): EventStoreDBClient {
    return this.#client;
  }

  /** Makes a call and replaces the client if the outcome shows it is broken. @throws what `work` throws */
  async use<Answer>(work: (client: EventStoreDBClient) => Promise<Answer>): Promise<Answer> {
    const [client, began] = [this.#client, performance.now()];
    try {
      const answer = await work(client);
      if (client === this.#client) this.#answeredAt = performance.now();
      return answer;
    } catch (error) {
      if (client === this.#client && outcomeOf(error) !== 'unknown') this.#answeredAt = performance.now();
      else if (client === this.#client && (isConnectionLost(error) || this.#isSilent(error, began))) this.#renew();
      throw error;
    }
  }

  /** Bounded, because the client waits for cancelled calls, which may never end. */
  async close(): Promise<void> {
    await within(DISPOSE_MS, this.#client.dispose()).catch(() => undefined);
  }

  /** A client that never got an answer is kept: replacing it would only pile up connections to a hanging server. */
  #isSilent(error: unknown, began: number): boolean {
    return error instanceof DeadlineExceeded && this.#answeredAt > 0 && this.#answeredAt < began;
  }

  #renew(): void {
    if (performance.now() - this.#madeAt < RENEW_MS) return;
    const old = this.#client;
    this.#client = this.#make();
    // Its calls have their own deadlines; cancelled ones may never end.
    void within(DISPOSE_MS, old.dispose()).catch(() => undefined);
  }

  /** Each client gets a slightly different setting, so that gRPC does not share its backoff. */
  #make(): EventStoreDBClient {
    this.#madeAt = performance.now();
    this.#answeredAt = 0;
    this.#made += 1;
    return EventStoreDBClient.connectionString(`${this.#address.connectionString}&keepAliveInterval=${PING_MS + (this.#made % PINGS)}`);
  }
}
