import type { UserSettings } from '../users/user.view.js';

/** A kind of e-mail that users can turn off, by the name of its setting in `mailNotifs`. */
export type Mailing = keyof UserSettings['mailNotifs'];

/** Its kind, readable, and who it belongs to, sealed. */
const TOKEN = /^(todoReminders|digest)-([\w-]{40,400})$/;

/** The two parts of an unsubscribe token; null for a text of another form. */
export function tokenParts(token: string): { readonly mailing: Mailing; readonly sealed: string } | null {
  const [, mailing, sealed] = TOKEN.exec(token) ?? [];
  return mailing === undefined || sealed === undefined ? null : { mailing: mailing as Mailing, sealed };
}
