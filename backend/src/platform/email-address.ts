import { isEmail } from 'class-validator';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { isOneAddress } from './mail/email-message.js';

/** The form in which e-mail addresses are compared and stored. */
export const normalEmail = (text: string): string => text.normalize('NFC').trim().toLowerCase();

/** An e-mail address that someone typed, in its normal form; null unless it is one that e-mails can be sent to, with a dot in its domain. */
export function emailFrom(text: string): string | null {
  const email = normalEmail(text);
  return email.length <= LIMITS.email && isEmail(email) && isOneAddress(email) ? email : null;
}
