import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Refused } from '../../kernel/refusal.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import type { Logger } from '../logger.js';
import { pauseUnlessAborted } from '../pause.js';

// Stored names: "orders", its fields and states.
const COLLECTION = 'orders';
const PAGE = 100;
/** Poll intervals for the answer to a request, and for new requests, in milliseconds. */
const ANSWER_POLL_MS = 100;
const REQUESTS_POLL_MS = 1_000;
/** How long a sender waits for the answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Age in milliseconds at which the holder removes a request that its sender has abandoned. */
const ABANDONED_MS = 120_000;

/** An operator's request to the process that holds a lease, as plain JSON. */
export type OperatorRequest = Readonly<Record<string, string | number>>;

interface RequestRecord extends Readonly<Record<string, unknown>> {
  /** The name of the lease whose holder processes it. */
  readonly to: string;
  readonly order: OperatorRequest;
  readonly state: 'asked' | 'taken' | 'done' | 'failed';
  readonly answer: unknown;
}

/** Requests of operators to the process that holds a lease: stored in the vault, processed by the holder, removed by the sender. */
export class OperatorRequests {
  /**
   * @param to the name of the lease whose holder processes them
   * @param timeoutMs how long a sender waits for the answer, in milliseconds
   */
  constructor(
    private readonly vault: Vault,
    private readonly to: string,
    private readonly log: Logger,
    private readonly timeoutMs = ANSWER_TIMEOUT_MS,
  ) {}

  /**
   * Sends a request and waits for the answer.
   * @throws Refused `role.away`: no process picked it up in time, and the request was withdrawn; `role.busy`: it failed or takes longer
   */
  async send(request: OperatorRequest): Promise<unknown> {
    const id = randomUUID();
    await this.declare();
    await this.vault.insert(COLLECTION, id, { to: this.to, order: request, state: 'asked', answer: null } satisfies RequestRecord);
    const until = performance.now() + this.timeoutMs;
    for (;;) {
      const record = await this.vault.get<RequestRecord>(COLLECTION, id);
      if (record === null) throw new Refused('role.away');
      const { state, answer } = record.body;
      if (state === 'done' || state === 'failed' || performance.now() >= until) {
        const isWithdrawn = await this.vault.remove(COLLECTION, id, record.version);
        if (isWithdrawn && state === 'done') return answer;
        if (isWithdrawn) throw new Refused(state === 'asked' ? 'role.away' : 'role.busy');
        continue;
      }
      await pause(ANSWER_POLL_MS);
    }
  }

  /** Processes requests, one after the other, until the signal aborts. */
  async process(signal: AbortSignal, work: (request: OperatorRequest) => Promise<unknown>): Promise<void> {
    const seenSince = new Map<string, number>();
    while (!signal.aborted) {
      try {
        await this.declare();
        for (const record of await this.vault.find<RequestRecord>(COLLECTION, { field: 'to', value: this.to, limit: PAGE })) {
          if (signal.aborted) return;
          if (record.body.state === 'asked') await this.processOne(record, work);
          else await this.removeAbandoned(record.id, seenSince);
        }
      } catch (error) {
        if (!signal.aborted) this.log.error({ err: error, to: this.to }, 'operator requests cannot be read, trying again');
      }
      await pauseUnlessAborted(REQUESTS_POLL_MS, signal);
    }
  }

  private declare(): Promise<void> {
    return this.vault.declare({ name: COLLECTION, indexes: ['to'] });
  }

  private async processOne({ id, version, body }: VaultRecord<RequestRecord>, work: (request: OperatorRequest) => Promise<unknown>): Promise<void> {
    if (!(await this.vault.replace(COLLECTION, id, version, { ...body, state: 'taken' }))) return;
    const taken = await this.vault.get<RequestRecord>(COLLECTION, id);
    if (taken === null) return;
    let result: Pick<RequestRecord, 'state' | 'answer'>;
    try {
      result = { state: 'done', answer: await work(body.order) };
    } catch (error) {
      this.log.error({ err: error, to: this.to, request: body.order }, 'operator request failed');
      result = { state: 'failed', answer: null };
    }
    // Has no effect when the sender has withdrawn the request.
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
