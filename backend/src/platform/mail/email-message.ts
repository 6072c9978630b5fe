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

/** @throws EmailRefused unless the recipient, and the address for replies if there is one, are each exactly one address */
export function checkAddresses({ to, replyTo }: Pick<Email, 'to' | 'replyTo'>): void {
  if (!isOneAddress(to)) throw new EmailRefused('the recipient must be exactly one e-mail address');
  if (replyTo !== undefined && !isOneAddress(replyTo)) throw new EmailRefused('the address for replies must be exactly one e-mail address');
}

/** The e-mail for nodemailer: one recipient, a Message-ID derived from its key, text with an HTML alternative. @throws EmailRefused as `checkAddresses` */
export function messageOf(email: Email, from: string): SendMailOptions {
  checkAddresses(email);
  const domain = /@([^\s@<>]+)>?$/.exec(from.trim())?.[1] ?? 'localhost';
  return {
    from,
    to: { name: '', address: email.to },
    ...(email.replyTo === undefined ? {} : { replyTo: { name: '', address: email.replyTo } }),
    subject: email.subject,
    text: email.text,
    ...(email.html === undefined ? {} : { html: email.html }),
    date: new Date(email.date),
    messageId: `<${nameOfKey(email.key)}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(email) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** One-click unsubscription, which mail programs offer beside the e-mail: RFC 2369 and RFC 8058. */
const unsubscribeHeaders = ({ unsubscribe }: Email): Readonly<Record<string, string>> =>
  unsubscribe === undefined ? {} : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
