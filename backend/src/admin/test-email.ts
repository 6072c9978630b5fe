import { Refused } from '../kernel/refusal.js';
import { newId } from '../platform/ids.js';
import { EmailRefused } from '../platform/mail/mailer.js';
import type { EmailQueue } from '../platform/mail/email-queue.js';
import { testEmail } from '../platform/mail/templates/operator-emails.js';

/** Queues a test e-mail. @returns its name @throws Refused `email.invalid` */
export async function sendTestEmail(emailQueue: EmailQueue, to: string): Promise<string> {
  try {
    return await emailQueue.enqueue({ ...testEmail(), to: to.trim(), key: `test-${newId()}` });
  } catch (error) {
    throw error instanceof EmailRefused ? new Refused('email.invalid', { field: 'to' }) : error;
  }
}
