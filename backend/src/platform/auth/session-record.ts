import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { idFrom } from '../ids.js';
import type { VaultRecord } from '../vault/vault.js';
import { UNKNOWN_DEVICE } from './device-name.js';
import { SESSION_SECONDS } from './session-cookie.js';

/** A session in the vault; its id is the hash of its token. */
export interface SessionRecord extends Record<string, unknown> {
  readonly uid: Uid;
  readonly isGuest: boolean;
  readonly createdAt: Instant;
  readonly renewedAt: Instant;
  readonly expiresAt: Instant;
  /** Missing, like the device, in the records of earlier versions. */
  readonly usedAt?: Instant;
  readonly device?: string;
}

/** A session as its user sees it. */
export interface ListedSession {
  readonly sessionId: string;
  readonly createdAt: Instant;
  /** Exact to a minute. */
  readonly usedAt: Instant;
  readonly device: string;
}

/** The dates of a session that is used now, and so lasts thirty days from now. */
export const usedFrom = (now: Instant): Pick<SessionRecord, 'renewedAt' | 'expiresAt' | 'usedAt'> => ({
  renewedAt: now,
  expiresAt: now + SESSION_SECONDS * 1_000,
  usedAt: now,
});

/** When it was last used. */
export const usedAtOf = ({ usedAt, renewedAt }: SessionRecord): Instant => usedAt ?? renewedAt;

/** A session's public id. Its own is the hash of its token. */
export const publicSessionId = (sessionId: string): string => idFrom('session', sessionId);

/** A session without what its user need not see. */
export const listed = ({ id, body }: VaultRecord<SessionRecord>): ListedSession => ({
  sessionId: id,
  createdAt: body.createdAt,
  usedAt: usedAtOf(body),
  device: body.device ?? UNKNOWN_DEVICE,
});
