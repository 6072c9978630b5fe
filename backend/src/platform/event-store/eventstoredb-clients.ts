import { EventStoreDBClient } from '@eventstore/db-client';
import { DeadlineExceeded, within } from '../health/deadline.js';
import { addressOf, type EventStoreDbAddress } from './eventstoredb-address.js';
import { isLost, meaningOf } from './eventstoredb-errors.js';

const RENEW_MS = 500;
const DISPOSE_MS = 500;
const PING_MS = 10_000;
const PINGS = 1_000;

/**
 * The client in use. One that lost its connection is given up for a new one: gRPC waits longer from one attempt to the next, up to two minutes, and clients of the same
 * settings share that wait. So is one that was answered before and now is silent, whose connection may lead nowhere.
 */
export class EventStoreDbClients {
  readonly #address: EventStoreDbAddress;
  #client: EventStoreDBClient;
  #made = 0;
  #madeAt = 0;
  #heardAt = 0;

  /** Nothing is sent yet. @throws Error when the address has another form */
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

  /** Makes a call and learns from it how the client is. @throws what the work throws */
  async use<Answer>(work: (client: EventStoreDBClient) => Promise<Answer>): Promise<Answer> {
    const [client, began] = [this.#client, performance.now()];
    try {
      const answer = await work(client);
      if (client === this.#client) this.#heardAt = performance.now();
      return answer;
    } catch (error) {
      if (client === this.#client && meaningOf(error) !== 'unknown') this.#heardAt = performance.now();
      else if (client === this.#client && (isLost(error) || this.#isSilent(error, began))) this.#renew();
      throw error;
    }
  }

  /** The client waits for the end of calls that were cancelled before, which may never come. */
  async close(): Promise<void> {
    await within(DISPOSE_MS, this.#client.dispose()).catch(() => undefined);
  }

  /** A client that was never answered is no better than the next: connections to a server that stands still would pile up. */
  #isSilent(error: unknown, began: number): boolean {
    return error instanceof DeadlineExceeded && this.#heardAt > 0 && this.#heardAt < began;
  }

  #renew(): void {
    if (performance.now() - this.#madeAt < RENEW_MS) return;
    const old = this.#client;
    this.#client = this.#make();
    // Its calls have ends of their own; what is cancelled here may never say that it has ended.
    void within(DISPOSE_MS, old.dispose()).catch(() => undefined);
  }

  /** Each with another setting, so that gRPC takes it for another server. */
  #make(): EventStoreDBClient {
    this.#madeAt = performance.now();
    this.#heardAt = 0;
    this.#made += 1;
    return EventStoreDBClient.connectionString(`${this.#address.connectionString}&keepAliveInterval=${PING_MS + (this.#made % PINGS)}`);
  }
}
