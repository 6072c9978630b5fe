import { setTimeout as pause } from 'node:timers/promises';
import { DeadlineExceeded, within } from '../health/deadline.js';
import { ServiceUnavailable } from '../store-errors.js';
import { addressOf, type EventStoreDbAddress } from './eventstoredb-address.js';
import { EventStoreDbConnection, type Subscriber, type Subscription } from './eventstoredb-connection.js';
import { isConnectionLost, isNotLeader, outcomeOf } from './eventstoredb-errors.js';
import { findLeader } from './eventstoredb-leader.js';

/** Changes of the connection, for logs and metrics. */
export interface LeaderReport {
  /** A node leads after a search that found none at first, or another one than before (`isAnother`). `ms`: how long the search took. */
  readonly onLeader?: (change: { readonly node: string; readonly isAnother: boolean; readonly ms: number }) => void;
  /** No node leads; called once for each reason. */
  readonly onNoLeader?: (reason: string) => void;
}

export interface ConnectionsOptions extends LeaderReport {
  /** A connection younger than this is kept although a call failed on it, so that failing calls do not replace it one after the other; half a second when missing. */
  readonly renewMs?: number;
}

const RENEW_MS = 500;
const SEARCHING = 'the search for the leader has not ended';
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 400;

/**
 * The connection to the node that leads. It is given up when it is lost, when its node says that it does not lead, or when nothing was answered within a call's timeout.
 * Then the leader is looked for, in one search at a time, until there is one; calls wait for it until their own deadline.
 */
export class EventStoreDbConnections {
  readonly #address: EventStoreDbAddress;
  readonly #closing = new AbortController();
  #current: EventStoreDbConnection | null = null;
  #search: Promise<void> | null = null;
  #reason = SEARCHING;
  #lastNode = '';

  /** Does not connect yet. @throws Error when the address is malformed */
  constructor(
    url: string,
    private readonly options: ConnectionsOptions = {},
  ) {
    this.#address = addressOf(url);
  }

  /** Makes a call on the current connection, and gives it up if the outcome shows that it is broken. @throws ServiceUnavailable without a leader, and what `work` throws */
  async use<Answer>(due: number, work: (connection: EventStoreDbConnection) => Promise<Answer>): Promise<Answer> {
    // A loop, because another call may give up the connection that was found before this one continues.
    while (this.#current === null) await this.#searched(due);
    const connection = this.#current;
    const began = performance.now();
    try {
      const answer = await connection.run(work);
      connection.answeredAt = performance.now();
      return answer;
    } catch (error) {
      if (outcomeOf(error) !== 'unknown') connection.answeredAt = performance.now();
      else if (isConnectionLost(error) || isNotLeader(error) || isSilent(connection, error, began)) this.#giveUp(connection);
      throw error;
    }
  }

  /** A live subscription on the current connection, with which it ends. @throws as {@link use} */
  async subscribe(due: number, subscriber: Subscriber): Promise<Subscription> {
    while (this.#current === null) await this.#searched(due);
    const connection = this.#current;
    const subscription = connection.subscribe(subscriber);
    let isStopped = false;
    void subscription.ended.then((error) => {
      if (!isStopped && (isConnectionLost(error) || isNotLeader(error))) this.#giveUp(connection);
    });
    return {
      ended: subscription.ended,
      stop: () => {
        isStopped = true;
        subscription.stop();
      },
    };
  }

  close(): void {
    this.#closing.abort();
    this.#current?.retire();
    this.#current = null;
  }

  /** Waits for the search for the leader. @throws ServiceUnavailable, with the reason, when it has not ended at the deadline (of `performance.now()`) */
  async #searched(due: number): Promise<void> {
    if (this.#closing.signal.aborted) throw new ServiceUnavailable('the log is closed');
    this.#search ??= this.#find().finally(() => (this.#search = null));
    try {
      await within(Math.max(0, due - performance.now()), this.#search);
    } catch (error) {
      throw error instanceof DeadlineExceeded ? new ServiceUnavailable(`no leader of EventStoreDB was found: ${this.#reason}`) : error;
    }
  }

  #giveUp(connection: EventStoreDbConnection): void {
    const { renewMs = RENEW_MS } = this.options;
    if (connection !== this.#current || performance.now() - connection.madeAt < renewMs) return;
    this.#current = null;
    connection.retire();
  }

  /** Searches until a node leads or this is closed. */
  async #find(): Promise<void> {
    const { signal } = this.#closing;
    const began = performance.now();
    const reported = new Set<string>();
    this.#reason = SEARCHING;
    for (let tries = 0; !signal.aborted; tries += 1) {
      const found = await findLeader(this.#address);
      if (signal.aborted) return;
      if ('leader' in found) {
        const { target } = found.leader;
        const isAnother = this.#lastNode !== '' && this.#lastNode !== target;
        if (isAnother || reported.size > 0) this.options.onLeader?.({ node: target, isAnother, ms: Math.round(performance.now() - began) });
        this.#lastNode = target;
        this.#current = new EventStoreDbConnection(found.leader, this.#address);
        return;
      }
      this.#reason = found.reason;
      if (!reported.has(found.reason)) this.options.onNoLeader?.(found.reason);
      reported.add(found.reason);
      // Rejects when the signal aborts; the loop's condition then ends it.
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** True if the server has answered nothing since a call began that reached its timeout. */
const isSilent = (connection: EventStoreDbConnection, error: unknown, began: number): boolean =>
  error instanceof DeadlineExceeded && connection.answeredAt < began;
