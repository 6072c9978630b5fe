import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Refused } from '../../kernel/refusal.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import type { Logger } from '../logger.js';
import { pauseUnlessAborted } from '../pause.js';

const COLLECTION = 'orders';
const PAGE = 100;
/** Poll intervals for the answer to an order, and for new orders, in milliseconds. */
const ANSWER_POLL_MS = 100;
const ORDERS_POLL_MS = 1_000;
/** How long a sender waits for the answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Age in milliseconds at which the holder removes an order that its sender has abandoned. */
const ABANDONED_MS = 120_000;

/** An operator's request to the process that holds a lease, as plain JSON. */
export type Order = Readonly<Record<string, string | number>>;

interface OrderRecord extends Readonly<Record<string, unknown>> {
  /** The name of the lease whose holder carries it out. */
  readonly to: string;
  readonly order: Order;
  readonly state: 'asked' | 'taken' | 'done' | 'failed';
  readonly answer: unknown;
}

/** Requests of operators to the holder of a lease in another process: stored in the vault, carried out by the holder, removed by the sender. */
export class Orders {
  /**
   * @param to the name of the lease whose holder carries them out
   * @param timeoutMs how long a sender waits for the answer, in milliseconds
   */
  constructor(
    private readonly vault: Vault,
    private readonly to: string,
    private readonly log: Logger,
    private readonly timeoutMs = ANSWER_TIMEOUT_MS,
  ) {}

  /**
   * Sends an order and waits for the answer.
   * @throws Refused `role.away` when no process took it, and none will; `role.busy` when it failed or takes longer
   */
  async send(order: Order): Promise<unknown> {
    const id = randomUUID();
    await this.declare();
    await this.vault.insert(COLLECTION, id, { to: this.to, order, state: 'asked', answer: null } satisfies OrderRecord);
    const until = performance.now() + this.timeoutMs;
    for (;;) {
      const record = await this.vault.get<OrderRecord>(COLLECTION, id);
      if (record === null) throw new Refused('role.away');
      const { state, answer } = record.body;
      if (state === 'done' || state === 'failed' || performance.now() >= until) {
        const isRemoved = await this.vault.remove(COLLECTION, id, record.version);
        if (isRemoved && state === 'done') return answer;
        if (isRemoved) throw new Refused(state === 'asked' ? 'role.away' : 'role.busy');
        continue;
      }
      await pause(ANSWER_POLL_MS);
    }
  }

  /** Carries out orders, one after the other, until the signal aborts. */
  async carryOut(signal: AbortSignal, work: (order: Order) => Promise<unknown>): Promise<void> {
    const seenSince = new Map<string, number>();
    while (!signal.aborted) {
      try {
        await this.declare();
        for (const record of await this.vault.find<OrderRecord>(COLLECTION, { field: 'to', value: this.to, limit: PAGE })) {
          if (signal.aborted) return;
          if (record.body.state === 'asked') await this.carryOutOne(record, work);
          else await this.removeAbandoned(record.id, seenSince);
        }
      } catch (error) {
        if (!signal.aborted) this.log.error({ err: error, to: this.to }, 'orders cannot be read, trying again');
      }
      await pauseUnlessAborted(ORDERS_POLL_MS, signal);
    }
  }

  private declare(): Promise<void> {
    return this.vault.declare({ name: COLLECTION, indexes: ['to'] });
  }

  private async carryOutOne({ id, version, body }: VaultRecord<OrderRecord>, work: (order: Order) => Promise<unknown>): Promise<void> {
    if (!(await this.vault.replace(COLLECTION, id, version, { ...body, state: 'taken' }))) return;
    const taken = await this.vault.get<OrderRecord>(COLLECTION, id);
    if (taken === null) return;
    let result: Pick<OrderRecord, 'state' | 'answer'>;
    try {
      result = { state: 'done', answer: await work(body.order) };
    } catch (error) {
      this.log.error({ err: error, to: this.to, order: body.order }, 'order failed');
      result = { state: 'failed', answer: null };
    }
    // Has no effect when the sender has given up and removed the order.
    await this.vault.replace(COLLECTION, id, taken.version, { ...body, ...result });
  }

  private async removeAbandoned(id: string, seenSince: Map<string, number>): Promise<void> {
    const since = seenSince.get(id) ?? performance.now();
    seenSince.set(id, since);
    if (performance.now() - since < ABANDONED_MS) return;
    await this.vault.remove(COLLECTION, id);
    seenSince.delete(id);
  }
}
