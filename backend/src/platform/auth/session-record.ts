import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { idFrom } from '../ids.js';
import type { Vault, VaultCollection, VaultRecord } from '../vault/vault.js';
import { UNKNOWN_DEVICE } from './device-name.js';
import { SESSION_SECONDS } from './session-cookie.js';

/** The vault's collection of sessions, found by user and by push endpoint. */
export const SESSIONS: VaultCollection = { name: 'sessions', indexes: ['uid', 'push.id'] };
const PAGE = 500;

/** Where the browser of a session gets push messages. */
export interface SessionPush {
  /** Derived from the endpoint. */
  readonly id: Id;
  readonly sentAt: Instant;
  /** Endpoint and keys, encrypted. */
  readonly sealed: string;
}

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
  /** Part of the session, so that it ends with it, however that ends. */
  readonly push?: SessionPush;
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

/** The sessions of a user, or those with a push endpoint; expired ones too, until they are swept. */
export async function sessionsWhere(vault: Vault, field: 'uid' | 'push.id', value: string): Promise<readonly VaultRecord<SessionRecord>[]> {
  const records: VaultRecord<SessionRecord>[] = [];
  for (let afterId = ''; ;) {
    const page = await vault.find<SessionRecord>(SESSIONS.name, { field, value, afterId, limit: PAGE });
    records.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return records;
    afterId = last.id;
  }
}

/** Changes a session unless it has ended. @returns false if it has */
export async function changeSession(vault: Vault, sessionId: string, change: (session: SessionRecord) => SessionRecord): Promise<boolean> {
  for (let found = await vault.get<SessionRecord>(SESSIONS.name, sessionId); found !== null; found = await vault.get<SessionRecord>(SESSIONS.name, sessionId)) {
    if (await vault.replace(SESSIONS.name, sessionId, found.version, change(found.body))) return true;
  }
  return false;
}
