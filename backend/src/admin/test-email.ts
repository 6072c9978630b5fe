import { Refused } from '../kernel/refusal.js';
import { newId } from '../platform/ids.js';
import { EmailRefused } from '../platform/mail/mailer.js';
import type { EmailQueue } from '../platform/mail/email-queue.js';

const TEXT = `This e-mail was sent by the operator of a Roughmix server to check that its e-mails arrive.

They do. There is nothing to answer.
`;

/** Queues a test e-mail. @returns its name @throws Refused `email.invalid` */
export async function sendTestEmail(emailQueue: EmailQueue, to: string): Promise<string> {
  try {
    return await emailQueue.enqueue({ to: to.trim(), subject: 'E-mail from Roughmix arrives', text: TEXT, key: `test-${newId()}` });
  } catch (error) {
    throw error instanceof EmailRefused ? new Refused('email.invalid', { field: 'to' }) : error;
  }
}
