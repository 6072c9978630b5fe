import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import type { Caller } from '../http/caller.js';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';
import { CLOCK, CONFIG, VAULT } from '../tokens.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { cookieOf, SESSION_SECONDS, sessionCookieName } from './session-cookie.js';

const COLLECTION = 'sessions';
const TOKEN_BYTES = 32;
const RENEW_MS = 60 * 60_000;
/** How long a cached session is used without reading it again: a session ended by another process may live on for this long. */
const FRESH_MS = 2_000;
/** Allowance for requests that were authenticated just before their session ended. */
const REQUEST_MS = 1_000;
const MAX_CACHED = 10_000;
/** More sessions than a user has browsers; limits how much of the vault a stolen password can fill. */
const MAX_PER_USER = 50;
const PAGE = 500;

interface SessionRecord extends Record<string, unknown> {
  readonly uid: Uid;
  readonly isGuest: boolean;
  readonly createdAt: Instant;
  readonly renewedAt: Instant;
  readonly expiresAt: Instant;
}

/** A valid session. `renewed`: this use extended it by another thirty days. */
export interface ActiveSession {
  readonly caller: Caller;
  readonly renewed: boolean;
}

interface CachedSession {
  readonly caller: Caller;
  readonly renewedAt: Instant;
  readonly expiresAt: Instant;
  readonly readAt: Instant;
}

/** The token of a request. With `Authorization: Bearer` the cookie is ignored, even if the bearer token is invalid. */
export function tokenOf(headers: IncomingHttpHeaders, publicUrl: string | null): { readonly token: string | null; readonly bearer: boolean } {
  const bearer = /^Bearer(?:\s+(\S+))?\s*$/i.exec(headers.authorization ?? '');
  if (bearer !== null) return { token: bearer[1] ?? null, bearer: true };
  return { token: cookieOf(headers, sessionCookieName(publicUrl)), bearer: false };
}

/** A session's id is the hash of its token; the token itself is not stored. */
const sessionIdOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Sessions with opaque tokens of 256 bits. They last thirty days and are renewed by use. */
@Injectable()
export class Sessions {
  private readonly cache = new LRUCache<string, CachedSession>({ max: MAX_CACHED });
  private readonly listeners = new Set<(sessionId: string) => void>();
  /** Rises whenever sessions end, so that a concurrent read is repeated. */
  private endings = 0;

  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'MONGO_URL'> = { MONGO_URL: null },
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION, indexes: ['uid'] });
  }

  /** Starts a session. When a user has more than fifty, the least recently renewed ones end. */
  async start(uid: Uid, isGuest: boolean): Promise<{ readonly token: string; readonly sessionId: string }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const sessionId = sessionIdOf(token);
    const now = this.clock();
    const record: SessionRecord = { uid, isGuest, createdAt: now, renewedAt: now, expiresAt: now + SESSION_SECONDS * 1_000 };
    await this.vault.insert(COLLECTION, sessionId, record);
    if (!isGuest) await this.endExcessOf(uid);
    return { token, sessionId };
  }

  /** The caller with this token, or null without a valid session. Counts as a use. */
  async find(token: string): Promise<Caller | null> {
    return (await this.use(token))?.caller ?? null;
  }

  /** Like {@link find}, and returns whether the session was renewed, so that the browser's cookie can be renewed too. */
  async use(token: string): Promise<ActiveSession | null> {
    const sessionId = sessionIdOf(token);
    const now = this.clock();
    const cached = this.cache.get(sessionId);
    // If the clock was set back, the cached entry is not trusted.
    const isFresh = cached !== undefined && now >= cached.readAt && now - cached.readAt < FRESH_MS && now - cached.renewedAt < RENEW_MS;
    if (isFresh) return now < cached.expiresAt ? { caller: cached.caller, renewed: false } : null;
    return this.read(sessionId, now);
  }

  /** Ends a session: at once in this process, within seconds in the others. */
  async end(sessionId: string): Promise<void> {
    await this.vault.remove(COLLECTION, sessionId);
    this.forget([sessionId]);
  }

  /** Ends a user's sessions, except one if given. */
  async endAllOf(uid: Uid, except: string | null = null): Promise<void> {
    const ended = new Set<string>();
    for (const { id } of await this.recordsOf(uid)) ended.add(id);
    for (const [sessionId, { caller }] of this.cache.entries()) if (caller.uid === uid) ended.add(sessionId);
    ended.delete(except ?? '');
    if (except === null) await this.vault.removeWhere(COLLECTION, 'uid', uid);
    else for (const sessionId of ended) await this.vault.remove(COLLECTION, sessionId);
    this.forget([...ended]);
  }

  /** Resolves when other processes no longer accept sessions that this one ended; at once in a single process. */
  async endedEverywhere(): Promise<void> {
    if (this.config.MONGO_URL !== null) await pause(FRESH_MS + REQUEST_MS);
  }

  /** Calls back for every session that this process ends. @returns unsubscribes */
  onEnded(listener: (sessionId: string) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async sweep(): Promise<void> {
    for (let afterId = ''; ;) {
      const page = await this.vault.find<SessionRecord>(COLLECTION, { afterId, limit: PAGE });
      for (const { id, version, body } of page) if (body.expiresAt <= this.clock()) await this.vault.remove(COLLECTION, id, version);
      const last = page.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }

  private async recordsOf(uid: Uid): Promise<readonly VaultRecord<SessionRecord>[]> {
    const records: VaultRecord<SessionRecord>[] = [];
    for (let afterId = ''; ;) {
      const page = await this.vault.find<SessionRecord>(COLLECTION, { field: 'uid', value: uid, afterId, limit: PAGE });
      records.push(...page);
      const last = page.at(-1);
      if (last === undefined) return records;
      afterId = last.id;
    }
  }

  private async endExcessOf(uid: Uid): Promise<void> {
    const all = await this.vault.find<SessionRecord>(COLLECTION, { field: 'uid', value: uid, limit: PAGE });
    const oldestFirst = all.toSorted((one, other) => one.body.renewedAt - other.body.renewedAt);
    for (const { id } of oldestFirst.slice(0, Math.max(0, all.length - MAX_PER_USER))) await this.end(id);
  }

  private async read(sessionId: string, now: Instant): Promise<ActiveSession | null> {
    const endings = this.endings;
    const found = await this.vault.get<SessionRecord>(COLLECTION, sessionId);
    if (found === null || found.body.expiresAt <= now) {
      this.cache.delete(sessionId);
      return null;
    }
    const { uid, isGuest } = found.body;
    const renewed = now - found.body.renewedAt >= RENEW_MS && (await this.renew(found, now));
    const caller: Caller = { uid, isGuest, sessionId };
    const dates = renewed ? { renewedAt: now, expiresAt: now + SESSION_SECONDS * 1_000 } : { renewedAt: found.body.renewedAt, expiresAt: found.body.expiresAt };
    // The session may have ended while it was read.
    if (endings !== this.endings) return this.read(sessionId, now);
    this.cache.set(sessionId, { caller, ...dates, readAt: now });
    return { caller, renewed };
  }

  private async renew({ id, version, body }: VaultRecord<SessionRecord>, now: Instant): Promise<boolean> {
    try {
      return await this.vault.replace(COLLECTION, id, version, { ...body, renewedAt: now, expiresAt: now + SESSION_SECONDS * 1_000 });
    } catch (error) {
      // While the vault cannot be written, sessions stay valid; a later use renews this one.
      if (error instanceof DiskFull || error instanceof ServiceUnavailable) return false;
      throw error;
    }
  }

  private forget(sessionIds: readonly string[]): void {
    this.endings += 1;
    for (const sessionId of sessionIds) this.cache.delete(sessionId);
    for (const sessionId of sessionIds) for (const listener of this.listeners) listener(sessionId);
  }
}
