import { type ProblemCode, statusOf } from '@roughmix/contracts/shared/problems.js';
import type { SecurityEvent } from './security-event.js';

/** Refusals with an event of their own, whatever their status. */
const EVENTS: Partial<Record<ProblemCode, SecurityEvent>> = {
  throttled: 'throttle.hit',
  'auth.failed': 'session.refused',
  'invite.spent': 'session.refused',
  'password.incorrect': 'password.changed',
  'reset.no-user': 'password.reset-requested',
  'reset.spent': 'password.reset',
  'admin.unauthorized': 'admin.called',
};
const REFUSED_ACCESS: readonly number[] = [401, 403];
/** Each quota has a code of its own. */
const QUOTA = 'quota.';
/** Every page asks this when it opens, so being signed out is not a refusal. */
const ASKS_FOR_SESSION = ['GET /api/auth/session', 'HEAD /api/auth/session'];

/** The event of a refusal; null if it is none of the security log. Every other 401 and 403 is `access.refused`; what a caller may not see is an ordinary 404. */
export function refusalEventOf(code: ProblemCode, target: string): SecurityEvent | null {
  if (code === 'auth.required' && ASKS_FOR_SESSION.includes(target)) return null;
  if (code.startsWith(QUOTA)) return 'quota.refused';
  return EVENTS[code] ?? (REFUSED_ACCESS.includes(statusOf(code)) ? 'access.refused' : null);
}
