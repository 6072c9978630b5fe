import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { EmailContent } from '../mailer.js';
import { emailOf } from './email-layout.js';

/** When something happened, for its reader. */
export interface ZonedInstant {
  readonly at: Instant;
  /** An IANA time zone; null means UTC. */
  readonly zone: string | null;
}

/** 'Monday 23 November 2026 at 23:12 (Europe/Berlin)' */
export const zonedTime = ({ at, zone }: ZonedInstant): string => {
  const timeZone = zone ?? 'UTC';
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(at).replace(',', '');
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
  return `${day} at ${time} (${timeZone})`;
};

/** @param link signs in and leads to the welcome page */
export const inviteEmail = ({ link }: { readonly link: string }): EmailContent =>
  emailOf({
    subject: 'Your invite to Roughmix',
    paragraphs: [
      'You are invited to Roughmix, where musicians finish songs together.',
      'The link below signs you in and leads to the welcome page. It is valid for 7 days, or until you have finished your profile there.',
    ],
    action: { label: 'Finish your profile', link },
    footer: 'You get this e-mail because someone asked for an invite with this address. If it was not you, you can ignore it.',
  });

/** @param link leads to the page where a new password is chosen */
export const resetEmail = ({ link }: { readonly link: string }): EmailContent =>
  emailOf({
    subject: 'Reset your password',
    paragraphs: ['Someone asked to reset the password of your Roughmix account.', 'The link below works once and for one hour. A newer link replaces it.'],
    action: { label: 'Choose a new password', link },
    footer: 'If it was not you, you can ignore this e-mail: your password stays as it is.',
  });

/** `resetLink` leads to the page that requests a password reset, for the case that it was not the user. */
export interface SecurityEvent extends ZonedInstant {
  readonly resetLink: string;
}

export const passwordChangedEmail = ({ resetLink, ...when }: SecurityEvent): EmailContent =>
  emailOf({
    subject: 'Your password was changed',
    paragraphs: [`The password of your Roughmix account was changed on ${zonedTime(when)}.`, 'If it was not you, reset your password now:'],
    action: { label: 'Reset your password', link: resetLink },
    footer: 'You get this e-mail whenever your password changes.',
  });

/** A sign-in in a browser that the account has not used before. */
export interface NewSignIn {
  /** As in the list of sessions: 'Firefox on Linux' */
  readonly device: string;
  readonly by: 'password' | 'invite';
}

export const newDeviceEmail = ({ device, by, resetLink, ...when }: SecurityEvent & NewSignIn): EmailContent =>
  emailOf({
    subject: 'New sign-in to Roughmix',
    paragraphs: [
      `Someone signed in to your Roughmix account${by === 'invite' ? ' with the link of your invite,' : ''} from a browser that we do not know. If it was not you, reset your password now.`,
    ],
    facts: [
      ['Device', device],
      ['Time', zonedTime(when)],
    ],
    action: { label: 'Reset your password', link: resetLink },
    footer: 'If it was you, there is nothing to do.',
  });
