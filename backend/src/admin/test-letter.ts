import { Refused } from '../kernel/refusal.js';
import { newId } from '../platform/ids.js';
import { LetterRefused } from '../platform/mail/mailer.js';
import type { Letters } from '../platform/mail/letters.js';

const TEXT = `This letter was sent by the operator of a Roughmix server to see whether its letters arrive.

They do. There is nothing to answer.
`;

/** Puts a letter on its way that shows whether letters arrive. @returns its name @throws Refused `email.invalid` */
export async function sendTestLetter(letters: Letters, to: string): Promise<string> {
  try {
    return await letters.send({ to: to.trim(), subject: 'Letters from Roughmix arrive', text: TEXT, key: `test-${newId()}` });
  } catch (error) {
    throw error instanceof LetterRefused ? new Refused('email.invalid', { field: 'to' }) : error;
  }
}
