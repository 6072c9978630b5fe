import { systemClock } from '../clock.js';
import { within } from '../health/deadline.js';
import type { EmailQueue } from '../mail/email-queue.js';
import type { Metrics } from './metrics.js';

/** How long it may take, in milliseconds, as the rest of what is read when somebody asks. */
const DEADLINE_MS = 2_000;

/** Reads the letters on their way, which every process finds in the vault. What could not be learned in time is missing, not zero. */
export async function collectEmails(emailQueue: Pick<EmailQueue, 'status'>, metrics: Metrics): Promise<void> {
  // That the vault is away is told by its probe.
  const status = await within(DEADLINE_MS, emailQueue.status()).catch(() => null);
  metrics.emails.reset();
  metrics.emailsWaiting.remove();
  if (status === null) return;
  metrics.emails.set({ state: 'waiting' }, status.waiting);
  metrics.emails.set({ state: 'undelivered' }, status.undelivered.length);
  metrics.emailsWaiting.set(status.oldest === null ? 0 : Math.max(0, systemClock() - status.oldest) / 1_000);
}
