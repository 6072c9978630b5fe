import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import { DeadlineExceeded, within } from '../health/deadline.js';
import type { BackgroundLoop } from '../reactors/background-loop.js';
import { QueueLoop } from '../reactors/queue-loop.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { VaultRecord } from '../vault/vault.js';
import { DeliveryOrder } from './delivery-order.js';
import type { EmailQueue } from './email-queue.js';
import { ownerOf, type QueuedEmail, type WaitingEmail } from './email-records.js';
import { type Email, EmailRefused, type Mailer } from './mailer.js';
import { reminderEmail } from './templates/mailing-emails.js';
import type { Logger } from '../logger.js';

/** In milliseconds. */
export interface DeliveryTimes {
  /** Wait before the first retry; it doubles with each further one, up to `longestRetry`. */
  readonly firstRetry: number;
  readonly longestRetry: number;
  /** The age at which an e-mail is given up. */
  readonly giveUp: number;
  /** Poll interval for e-mails that other processes queued. */
  readonly poll: number;
  /** Timeout of one delivery: the whole dialogue with the mail server. */
  readonly deadline: number;
}

const HOUR_MS = 60 * 60_000;
export const DELIVERY_TIMES: DeliveryTimes = { firstRetry: 5_000, longestRetry: HOUR_MS, giveUp: 72 * HOUR_MS, poll: 5_000, deadline: 120_000 };
/** After this many failures in a row the mail server is probably unavailable; the remaining e-mails wait for the next round. */
const UNAVAILABLE_AFTER_FAILURES = 3;
/** How many e-mails are delivered before the order is decided again. */
const BATCH = 10;
const GIVING_UP = 'giving up on e-mail: undeliverable';

export interface DeliveryDeps {
  readonly emailQueue: EmailQueue;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly times?: DeliveryTimes;
}

/** Delivers queued e-mails, account e-mails first, and retries each until it is accepted, permanently refused or too old. */
export class EmailDeliveryLoop implements BackgroundLoop {
  readonly name = 'deliver-emails';
  private readonly times: DeliveryTimes;
  private readonly loop: QueueLoop;
  private readonly order = new DeliveryOrder();
  /** E-mails that were due when the queue was last read, and have not been tried since. */
  private due: readonly VaultRecord<QueuedEmail>[] = [];
  private isOutdated = true;
  private readAt = 0;
  private isUnavailable = false;
  private sweptAt = 0;

  constructor(private readonly deps: DeliveryDeps) {
    const { emailQueue, log, times = DELIVERY_TIMES } = deps;
    this.times = times;
    this.loop = new QueueLoop({
      pollMs: times.poll,
      onWork: (wake) =>
        emailQueue.onEnqueued(({ causedBy }) => {
          if (causedBy === undefined) this.isOutdated = true;
          wake();
        }),
      round: async (signal) => {
        await this.sweepHourly();
        await this.round(signal);
      },
      onFailure: (error) => log.error({ err: error }, 'e-mail queue failed, trying again'),
    });
  }

  start(): Promise<void> {
    return this.loop.start();
  }

  /** An e-mail whose delivery does not end in time is delivered again after the next start. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Tries every e-mail that is due, a few at a time, so that an account e-mail queued meanwhile does not wait for the mailings before it. */
  private async round(signal: AbortSignal): Promise<void> {
    let failuresInRow = 0;
    this.isOutdated = true;
    for (let batch = await this.nextBatch(); batch.length > 0; batch = await this.nextBatch()) {
      for (const queued of batch) {
        if (signal.aborted || failuresInRow >= UNAVAILABLE_AFTER_FAILURES) return;
        if (!(await this.deps.emailQueue.isUnchanged(queued))) continue;
        const email = this.deps.emailQueue.open(queued);
        if (email === null) await this.giveUpUnopened(queued);
        else failuresInRow = (await this.deliver(email, signal)) ? 0 : failuresInRow + 1;
      }
    }
  }

  /**
   * Reads the queue once for many batches, because it may be long. It is read again once this process has queued an account e-mail, after the poll
   * interval, for those of other processes, and when everything due has been tried.
   */
  private async nextBatch(): Promise<readonly VaultRecord<QueuedEmail>[]> {
    const now = this.deps.clock();
    if (this.isOutdated || this.due.length === 0 || now - this.readAt >= this.times.poll) {
      this.isOutdated = false;
      this.readAt = now;
      // The first attempt ignores the due time: it was set by another process, whose clock may be ahead.
      this.due = (await this.deps.emailQueue.waiting()).filter(({ body }) => body.tries === 0 || body.dueAt <= now);
    }
    const batch = this.order.next(this.due, BATCH);
    this.due = this.due.filter((email) => !batch.includes(email));
    return batch;
  }

  private async giveUpUnopened(queued: VaultRecord<QueuedEmail>): Promise<void> {
    const { emailQueue, log } = this.deps;
    const reason = 'it cannot be decrypted: its record was changed, or sealed under another key';
    await emailQueue.giveUpUnopened(queued, reason);
    log.error({ emailId: queued.id, tries: queued.body.tries, reason }, GIVING_UP);
  }

  /** @returns false when it is to be retried */
  private async deliver(email: VaultRecord<WaitingEmail>, signal: AbortSignal): Promise<boolean> {
    const { emailQueue, mailer, clock } = this.deps;
    const tooOld = this.tooOld(email.body);
    if (tooOld !== null) return this.giveUp(email, tooOld);
    try {
      await within(this.times.deadline, mailer.send(messageIn(email.body, clock())));
    } catch (error) {
      if (error instanceof EmailRefused) return this.giveUp(email, error.message);
      // A delivery that the shutdown interrupts does not count as a failed attempt.
      if (!signal.aborted) await this.retryLater(email, error);
      return false;
    }
    await emailQueue.replace(email, { state: 'sent', ...ownerOf(email.body), endedAt: clock() });
    this.logRecovery();
    return true;
  }

  /** Why an e-mail is no longer sent; null while it is. */
  private tooOld({ writtenAt, expiresAt, reason }: WaitingEmail): string | null {
    const now = this.deps.clock();
    if (expiresAt !== undefined && now >= expiresAt) return `its link has expired: ${reason ?? 'it was not tried in time'}`;
    return now - writtenAt >= this.times.giveUp ? `too old: ${reason ?? 'it was not tried in time'}` : null;
  }

  private async giveUp(email: VaultRecord<WaitingEmail>, reason: string): Promise<true> {
    const { emailQueue, clock, log } = this.deps;
    const { to, writtenAt, tries } = email.body;
    await emailQueue.replace(email, { state: 'undelivered', to, ...ownerOf(email.body), writtenAt, endedAt: clock(), tries: tries + 1, reason });
    log.error({ emailId: email.id, tries: tries + 1, reason }, GIVING_UP);
    return true;
  }

  private async retryLater(email: VaultRecord<WaitingEmail>, error: unknown): Promise<void> {
    const { emailQueue, clock, log } = this.deps;
    const { body } = email;
    const reason = error instanceof ServiceUnavailable || error instanceof DeadlineExceeded ? error.message : 'sending the e-mail failed';
    const wait = Math.min(this.times.firstRetry * 2 ** body.tries, this.times.longestRetry);
    await emailQueue.replace(email, { ...body, tries: body.tries + 1, reason, dueAt: clock() + wait });
    if (!this.isUnavailable) log.error({ emailId: email.id, reason }, 'e-mail not accepted, trying again');
    this.isUnavailable = true;
  }

  private logRecovery(): void {
    if (this.isUnavailable) this.deps.log.info({}, 'e-mails are accepted again');
    this.isUnavailable = false;
  }

  private async sweepHourly(): Promise<void> {
    const now = this.deps.clock();
    if (now - this.sweptAt < HOUR_MS) return;
    await this.deps.emailQueue.sweep();
    this.sweptAt = now;
  }
}

function messageIn({ to, replyTo, subject, text, html, unsubscribe, reminder, key, writtenAt }: WaitingEmail, now: Instant): Email {
  const content = { subject, text, ...(html === undefined ? {} : { html }) };
  return {
    to,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(unsubscribe === undefined ? {} : { unsubscribe }),
    ...(reminder === undefined ? content : reminderEmail(reminder, now)),
    key,
    date: writtenAt,
  };
}
