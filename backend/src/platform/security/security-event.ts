import type { Uid } from '@roughmix/contracts/shared/ids.js';

/** What the security log names. */
export type SecurityEvent =
  | 'session.started'
  | 'session.ended'
  | 'session.refused'
  | 'invite.used'
  | 'throttle.hit'
  | 'quota.refused'
  | 'access.refused'
  | 'account.created'
  | 'account.erased'
  | 'password.changed'
  | 'password.reset-requested'
  | 'password.reset'
  | 'admin.called'
  | 'role.changed'
  | 'project.taken-over'
  | 'user.blocked'
  | 'user.unblocked'
  | 'key.rotated'
  | 'backup.made'
  | 'backup.restored'
  | 'readmodels.rebuilt';

/** Who acted: a user's uid, {@link ADMIN_KEY_HOLDER}, {@link OPERATOR}, or null for visitors and the program itself. */
export type SecurityActor = Uid | null;
/** A caller with the admin key. */
export const ADMIN_KEY_HOLDER = 'admin-key';
/** The operator at a command line. */
export const OPERATOR = 'operator';

/** One line of the channel, in the order of its members. */
export interface SecurityLine {
  readonly channel: 'security';
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly event: SecurityEvent;
  readonly actor: SecurityActor;
  /** The client's; null outside requests, and with LOG_ADDRESSES=false. */
  readonly address: string | null;
  readonly target: string | null;
  readonly outcome: 'ok' | 'refused';
  /** Equals `X-Request-Id`; null outside HTTP requests. */
  readonly requestId: string | null;
}
