import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/logger.js';
import { PushQueue } from '../platform/push/push-queue.js';
import type { PushEnd, WaitingPush } from '../platform/push/push-records.js';
import { type PushSubscription, PushSubscriptions } from '../platform/push/push-subscriptions.js';
import { PUSH_TTL_MS, type PushResult, WebPush } from '../platform/push/web-push.js';
import { CLOCK, LOG } from '../platform/tokens.js';
import type { VaultRecord } from '../platform/vault/vault.js';
import { isTransient } from '../platform/reactors/is-transient.js';
import { PushContent } from './push-content.js';

/** In milliseconds, after the first, the second and the third attempt. */
const RETRIES = [10_000, 60_000, 5 * 60_000] as const;
/** When an attempt is repeated whose result is unknown, because the program was killed. */
const UNKNOWN_MS = 10_000;

type Waiting = VaultRecord<WaitingPush>;
type Retry = Extract<PushResult, { readonly outcome: 'retry' }>;

/** Tries to deliver queued messages, each at most four times. */
@Injectable()
export class PushDelivery {
  constructor(
    private readonly queue: PushQueue,
    private readonly subscriptions: PushSubscriptions,
    private readonly webPush: WebPush,
    @Inject(PushContent) private readonly content: Pick<PushContent, 'of'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** One attempt. @throws while a store is away: the message is due again */
  async attempt(push: Waiting): Promise<void> {
    try {
      await this.send(push);
    } catch (error) {
      if (isTransient(error)) throw error;
      this.log.error({ err: error, push: push.id }, 'push message failed, giving up');
      await this.queue.end(push.id, 'given up');
    }
  }

  /** The attempt is counted before it begins, so a vault that cannot be written afterwards does not send without end. */
  private async send(push: Waiting): Promise<void> {
    const { id, body } = push;
    const target = await this.targetOf(body);
    const message = target === null || this.isOver(body) ? null : await this.content.of(body);
    if (target === null || message === null) return this.queue.end(id, 'given up');
    if (!(await this.queue.claim(push, this.clock() + UNKNOWN_MS))) return;
    const result = await this.webPush.send(target, message);
    if (result.outcome === 'retry') return this.retryLater(push, target, result);
    if (result.outcome === 'gone') await this.subscriptions.forget(target.id);
    if (result.outcome === 'refused') this.report(push, target, { reason: result.reason, end: 'given up' });
    await this.queue.end(id, result.outcome === 'accepted' ? 'accepted' : 'given up');
  }

  /** Null once the browser has unsubscribed, or its session has ended. */
  private async targetOf({ uid, subscriptionId }: WaitingPush): Promise<PushSubscription | null> {
    return (await this.subscriptions.of(uid)).find(({ id }) => id === subscriptionId) ?? null;
  }

  private isOver({ tries, queuedAt }: WaitingPush): boolean {
    return tries > RETRIES.length || this.clock() - queuedAt >= PUSH_TTL_MS;
  }

  private async retryLater(push: Waiting, target: PushSubscription, { reason, notBefore }: Retry): Promise<void> {
    const { tries, queuedAt } = push.body;
    const wait = RETRIES[tries];
    const dueAt = Math.max(this.clock() + (wait ?? 0), notBefore ?? 0);
    const end = wait === undefined || dueAt - queuedAt >= PUSH_TTL_MS ? 'given up' : null;
    this.report(push, target, { reason, end });
    await (end === null ? this.queue.postpone(push.id, dueAt) : this.queue.end(push.id, end));
  }

  /** Names the push service only: the rest of an endpoint is a secret. */
  private report({ id, body }: Waiting, { endpoint }: PushSubscription, { reason, end }: { readonly reason: string; readonly end: PushEnd | null }): void {
    const facts = { push: id, service: new URL(endpoint).host, tries: body.tries + 1, reason };
    if (end === null) this.log.info(facts, 'push message not accepted, trying again');
    else this.log.error(facts, 'push message not accepted, giving up');
  }
}
