import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import { EmailRefused, type Email } from './mailer.js';

/** Excludes every character with a meaning in mail headers. */
const ONE_ADDRESS = /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+$/;
const SAFE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$/;

/** Whether a text is exactly one address, which cannot inject anything into a mail header. */
export const isOneAddress = (text: string): boolean => ONE_ADDRESS.test(text);

/** An e-mail's key as a name for files and Message-IDs: the key itself, or its hash if it contains other characters. */
export const nameOfKey = (key: string): string => (SAFE_NAME.test(key) ? key : `key-${createHash('sha256').update(key).digest('hex')}`);

/** The e-mail for nodemailer: one recipient, plain text, a Message-ID derived from its key. @throws EmailRefused when `to` is not one address */
export function messageOf(email: Email, from: string): SendMailOptions {
  if (!isOneAddress(email.to)) throw new EmailRefused('the recipient must be exactly one e-mail address');
  const domain = /@([^\s@<>]+)>?$/.exec(from.trim())?.[1] ?? 'localhost';
  return {
    from,
    to: { name: '', address: email.to },
    subject: email.subject,
    text: email.text,
    messageId: `<${nameOfKey(email.key)}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
