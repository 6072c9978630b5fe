import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Refused } from '../../kernel/refusal.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import type { Logger } from '../logger.js';

const COLLECTION = 'orders';
const PAGE = 100;
/** How often an order's answer, and orders, are looked for, in milliseconds. */
const ANSWER_LOOK_MS = 100;
const ORDERS_LOOK_MS = 1_000;
/** How long whoever asked waits. */
const ANSWER_MS = 30_000;
/** How long an order stays that nobody takes away: whoever asked has gone. */
const LEFT_MS = 120_000;

/** Something that an operator asks of whichever process does a work: plain JSON. */
export type Order = Readonly<Record<string, string | number>>;

interface OrderRecord extends Readonly<Record<string, unknown>> {
  /** Whose work it is: the name of a lease. */
  readonly to: string;
  readonly order: Order;
  readonly state: 'asked' | 'taken' | 'done' | 'failed';
  readonly answer: unknown;
}

/** What operators ask of the holder of a lease from another process: written down in the vault, carried out by the holder, taken away by who asked. */
export class Orders {
  /**
   * @param to the name of the lease whose holder carries them out
   * @param waitMs how long whoever asks waits for an answer, in milliseconds
   */
  constructor(
    private readonly vault: Vault,
    private readonly to: string,
    private readonly log: Logger,
    private readonly waitMs = ANSWER_MS,
  ) {}

  /**
   * Asks and waits for the answer.
   * @throws Refused `role.away` when nobody took it: then nobody will; `role.busy` when it was begun and takes longer, or failed
   */
  async ask(order: Order): Promise<unknown> {
    const id = randomUUID();
    await this.declare();
    await this.vault.insert(COLLECTION, id, { to: this.to, order, state: 'asked', answer: null } satisfies OrderRecord);
    const until = performance.now() + this.waitMs;
    for (;;) {
      const record = await this.vault.get<OrderRecord>(COLLECTION, id);
      if (record === null) throw new Refused('role.away');
      const { state, answer } = record.body;
      if (state === 'done' || state === 'failed' || performance.now() >= until) {
        const isTakenBack = await this.vault.remove(COLLECTION, id, record.version);
        if (isTakenBack && state === 'done') return answer;
        if (isTakenBack) throw new Refused(state === 'asked' ? 'role.away' : 'role.busy');
        continue;
      }
      await pause(ANSWER_LOOK_MS);
    }
  }

  /** Carries out what is asked, one after the other, until the signal aborts. */
  async carryOut(signal: AbortSignal, work: (order: Order) => Promise<unknown>): Promise<void> {
    const left = new Map<string, number>();
    while (!signal.aborted) {
      try {
        await this.declare();
        for (const record of await this.vault.find<OrderRecord>(COLLECTION, { field: 'to', value: this.to, limit: PAGE })) {
          if (signal.aborted) return;
          if (record.body.state === 'asked') await this.carryOutOne(record, work);
          else await this.clearAway(record.id, left);
        }
      } catch (error) {
        if (!signal.aborted) this.log.error({ err: error, to: this.to }, 'orders cannot be looked for, trying again');
      }
      // An abort ends the pause with an error, and the loop.
      await pause(ORDERS_LOOK_MS, undefined, { signal }).catch(() => undefined);
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
      this.log.error({ err: error, to: this.to, order: body.order }, 'an order could not be carried out');
      result = { state: 'failed', answer: null };
    }
    // Whoever asked may have gone: then nobody wants the answer.
    await this.vault.replace(COLLECTION, id, taken.version, { ...body, ...result });
  }

  private async clearAway(id: string, left: Map<string, number>): Promise<void> {
    const since = left.get(id) ?? performance.now();
    left.set(id, since);
    if (performance.now() - since < LEFT_MS) return;
    await this.vault.remove(COLLECTION, id);
    left.delete(id);
  }
}
