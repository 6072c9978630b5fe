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
import { UNKNOWN_DEVICE } from './device-name.js';
import { cookieOf, sessionCookieName } from './session-cookie.js';
import { type ListedSession, listed, SESSIONS, sessionsWhere, type SessionRecord, usedAtOf, usedFrom } from './session-record.js';

const COLLECTION = SESSIONS.name;
const TOKEN_BYTES = 32;
const RENEW_MS = 60 * 60_000;
/** How exact the time of the last use is. */
const USED_MS = 60_000;
/** How long a cached session is used without reading it again: a session ended by another process may live on for this long. */
const FRESH_MS = 2_000;
/** Allowance for requests that were authenticated just before their session ended. */
const REQUEST_MS = 1_000;
const MAX_CACHED = 10_000;
/** More sessions than a user has browsers; limits how much of the vault a stolen password can fill. */
const MAX_PER_USER = 50;
const PAGE = 500;

/** A session's new token, which is not stored, and its id. */
export interface StartedSession {
  readonly token: string;
  readonly sessionId: string;
}

/** A session that continues under another id. */
export interface RenamedSession extends StartedSession {
  readonly formerId: string;
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
  private readonly startListeners = new Set<(sessionId: string, uid: Uid) => void>();
  private readonly listeners = new Set<(sessionId: string) => void>();
  private readonly renameListeners = new Set<(renamed: RenamedSession) => void>();
  /** Rises whenever sessions end, so that a concurrent read is repeated. */
  private endings = 0;

  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'MONGO_URL'> = { MONGO_URL: null },
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare(SESSIONS);
  }

  /** Starts a session. When a user has more than fifty, the least recently renewed ones end. */
  async start(uid: Uid, isGuest: boolean, device = UNKNOWN_DEVICE): Promise<StartedSession> {
    const now = this.clock();
    const started = await this.insert({ uid, isGuest, createdAt: now, device, ...usedFrom(now) });
    if (!isGuest) await this.endExcessOf(uid);
    return started;
  }

  /** Continues a session under another token and id; its sockets in this process stay open. Null if it has ended. */
  async rename(formerId: string): Promise<StartedSession | null> {
    const found = await this.vault.get<SessionRecord>(COLLECTION, formerId);
    if (found === null) return null;
    const started = await this.insert({ ...found.body, ...usedFrom(this.clock()) });
    for (const listener of this.renameListeners) listener({ ...started, formerId });
    for (let former: VaultRecord<SessionRecord> | null = found; former !== null; former = await this.vault.get<SessionRecord>(COLLECTION, formerId)) {
      // It has changed in the meantime, for example by a new push subscription.
      if (former !== found) await this.vault.put(COLLECTION, started.sessionId, { ...former.body, ...usedFrom(this.clock()) });
      if (!(await this.vault.remove(COLLECTION, formerId, former.version))) continue;
      this.forget([formerId]);
      return started;
    }
    // Ended in the meantime, and so must its continuation.
    await this.end(started.sessionId);
    return null;
  }

  /** A session as its user sees it; null if it has ended. */
  async one(sessionId: string): Promise<ListedSession | null> {
    const found = await this.vault.get<SessionRecord>(COLLECTION, sessionId);
    return found === null || found.body.expiresAt <= this.clock() ? null : listed(found);
  }

  /** A user's sessions, the last used one first. */
  async listOf(uid: Uid): Promise<readonly ListedSession[]> {
    const valid = (await sessionsWhere(this.vault, 'uid', uid)).filter(({ body }) => body.expiresAt > this.clock());
    return valid.map(listed).toSorted((one, other) => other.usedAt - one.usedAt);
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
    for (const { id } of await sessionsWhere(this.vault, 'uid', uid)) ended.add(id);
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

  /** Calls back for every session that this process starts, or continues under another id. */
  onStarted(listener: (sessionId: string, uid: Uid) => void): void {
    this.startListeners.add(listener);
  }

  /** Calls back for every session that this process ends. @returns unsubscribes */
  onEnded(listener: (sessionId: string) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Calls back for every session of this process that continues under another id. */
  onRenamed(listener: (renamed: RenamedSession) => void): void {
    this.renameListeners.add(listener);
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
    const { uid, isGuest, renewedAt, expiresAt } = await this.touched(found, now);
    const caller: Caller = { uid, isGuest, sessionId };
    // The session may have ended while it was read.
    if (endings !== this.endings) return this.read(sessionId, now);
    this.cache.set(sessionId, { caller, renewedAt, expiresAt, readAt: now });
    return { caller, renewed: renewedAt !== found.body.renewedAt };
  }

  /** The record after this use: it notes the time every minute, and renews the session every hour. */
  private async touched({ id, version, body }: VaultRecord<SessionRecord>, now: Instant): Promise<SessionRecord> {
    if (now - usedAtOf(body) < USED_MS) return body;
    const used: SessionRecord = { ...body, ...(now - body.renewedAt < RENEW_MS ? { usedAt: now } : usedFrom(now)) };
    try {
      return (await this.vault.replace(COLLECTION, id, version, used)) ? used : body;
    } catch (error) {
      // While the vault cannot be written, sessions stay valid; a later use renews this one.
      if (error instanceof DiskFull || error instanceof ServiceUnavailable) return body;
      throw error;
    }
  }

  private async insert(record: SessionRecord): Promise<StartedSession> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const sessionId = sessionIdOf(token);
    await this.vault.insert(COLLECTION, sessionId, record);
    for (const listener of this.startListeners) listener(sessionId, record.uid);
    return { token, sessionId };
  }

  private forget(sessionIds: readonly string[]): void {
    this.endings += 1;
    for (const sessionId of sessionIds) this.cache.delete(sessionId);
    for (const sessionId of sessionIds) for (const listener of this.listeners) listener(sessionId);
  }
}
