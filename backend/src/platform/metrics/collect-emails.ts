import { systemClock } from '../clock.js';
import { within } from '../health/deadline.js';
import type { EmailQueue } from '../mail/email-queue.js';
import type { Metrics } from './metrics.js';

/** The same as for readiness, which a scrape also waits for. */
const DEADLINE_MS = 2_000;

/** Sets the gauges of the e-mail queue. They are absent, not zero, if the vault does not answer in time. */
export async function collectEmails(emailQueue: Pick<EmailQueue, 'status'>, metrics: Metrics): Promise<void> {
  // The probe of the vault reports the failure.
  const status = await within(DEADLINE_MS, emailQueue.status()).catch(() => null);
  metrics.emails.reset();
  metrics.emailsWaiting.remove();
  if (status === null) return;
  metrics.emails.set({ state: 'waiting' }, status.waiting);
  metrics.emails.set({ state: 'undelivered' }, status.undelivered.length);
  metrics.emailsWaiting.set(status.oldest === null ? 0 : Math.max(0, systemClock() - status.oldest) / 1_000);
}
