import { Inject, Injectable } from '@nestjs/common';
import { FairQueue } from '../platform/fair-queue.js';
import type { Logger } from '../platform/logger.js';
import { PushQueue } from '../platform/push/push-queue.js';
import type { WaitingPush } from '../platform/push/push-records.js';
import type { BackgroundLoop } from '../platform/reactors/background-loop.js';
import { isTransient } from '../platform/reactors/is-transient.js';
import { QueueLoop } from '../platform/reactors/queue-loop.js';
import { LOG } from '../platform/tokens.js';
import type { VaultRecord } from '../platform/vault/vault.js';
import { PushDelivery } from './push-delivery.js';

/** Poll interval for messages that are due again. */
const POLL_MS = 1_000;
/** An attempt mostly waits for its push service; one that does not answer delays only the user who chose it. */
const AT_ONCE = { running: 32, runningPerPerson: 4 };

/** Delivers queued messages while it runs, several at once. */
@Injectable()
export class PushDeliveryLoop implements BackgroundLoop {
  readonly name = 'deliver-pushes';
  private readonly turns = new FairQueue(AT_ONCE);
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly loop: QueueLoop;

  constructor(
    private readonly queue: PushQueue,
    private readonly delivery: PushDelivery,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.loop = new QueueLoop({
      pollMs: POLL_MS,
      onWork: (wake) => queue.onAdded(wake),
      round: (signal) => this.round(signal),
      idle: () => Promise.all(this.underWay.values()),
      onFailure: (error) => log.error({ err: error }, 'queue of push messages failed, trying again'),
    });
  }

  start(): Promise<void> {
    return this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Begins every attempt that is due, without waiting for the result. */
  private async round(signal: AbortSignal): Promise<void> {
    for (const push of await this.queue.due()) {
      if (signal.aborted) return;
      if (!this.underWay.has(push.id))
        this.underWay.set(
          push.id,
          this.deliver(push, signal).finally(() => this.underWay.delete(push.id)),
        );
    }
  }

  private async deliver(push: VaultRecord<WaitingPush>, signal: AbortSignal): Promise<void> {
    try {
      await this.turns.run(push.body.uid, async () => (signal.aborted ? undefined : this.delivery.attempt(push)));
    } catch (error) {
      // While a store is away, every round tries again, and the store's own errors are logged elsewhere.
      if (!isTransient(error)) this.log.error({ err: error, push: push.id }, 'delivery of a push message failed, trying again');
    }
  }
}
