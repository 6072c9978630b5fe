import { Refused } from '../kernel/refusal.js';
import { newId } from '../platform/ids.js';
import { LetterRefused } from '../platform/mail/mailer.js';
import type { Letters } from '../platform/mail/letters.js';

const TEXT = `This e-mail was sent by the operator of a Roughmix server to check that its e-mails arrive.

They do. There is nothing to answer.
`;

/** Queues a test e-mail. @returns its name @throws Refused `email.invalid` */
export async function sendTestEmail(letters: Letters, to: string): Promise<string> {
  try {
    return await letters.send({ to: to.trim(), subject: 'E-mail from Roughmix arrives', text: TEXT, key: `test-${newId()}` });
  } catch (error) {
    throw error instanceof LetterRefused ? new Refused('email.invalid', { field: 'to' }) : error;
  }
}
