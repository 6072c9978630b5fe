import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import { LetterRefused, type Letter } from './mailer.js';

/** One address, and nothing that a mail header could take for more. */
const ONE_ADDRESS = /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+$/;
const SAFE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$/;

/** Whether a text is one address, and nothing that a header could take for more. */
export const isOneAddress = (text: string): boolean => ONE_ADDRESS.test(text);

/** A letter's key as a name for files and Message-IDs: itself where it is plain, else its hash. */
export const nameOfKey = (key: string): string => (SAFE_NAME.test(key) ? key : `key-${createHash('sha256').update(key).digest('hex')}`);

/** The letter as nodemailer takes it: one recipient, plain text, a Message-ID made from its key. @throws LetterRefused for what is not one address */
export function messageOf(letter: Letter, from: string): SendMailOptions {
  if (!isOneAddress(letter.to)) throw new LetterRefused('the recipient is not one address');
  const domain = /@([^\s@<>]+)>?$/.exec(from.trim())?.[1] ?? 'localhost';
  return {
    from,
    to: { name: '', address: letter.to },
    subject: letter.subject,
    text: letter.text,
    messageId: `<${nameOfKey(letter.key)}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
