import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply } from 'fastify';
import { Refused } from '../kernel/refusal.js';
import { DeviceCookies } from '../platform/auth/device-cookie.js';
import { deviceNameOf } from '../platform/auth/device-name.js';
import { clearedSessionCookie, sessionCookie } from '../platform/auth/session-cookie.js';
import { Sessions } from '../platform/auth/sessions.js';
import type { Config } from '../platform/config/config.js';
import type { Caller, GuardedRequest } from '../platform/http/caller.js';
import { CONFIG } from '../platform/tokens.js';
import { Accounts } from './accounts.js';
import { GUEST_UID } from './registrations.js';

/** Starts and ends sessions together with their cookies. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly sessions: Sessions,
    private readonly devices: DeviceCookies,
    private readonly accounts: Accounts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Starts a user's session and remembers the browser. @returns the session's id */
  async startFor(uid: Uid, request: GuardedRequest, reply: FastifyReply): Promise<string> {
    const sessionId = await this.start({ uid, isGuest: false }, request, reply);
    await this.accounts.markSeen(uid);
    const account = await this.accounts.get(uid);
    if (account !== null) void reply.header('Set-Cookie', this.devices.remember(request.headers, account.body));
    return sessionId;
  }

  /** Whether an account signed in from this browser before, as far as its device cookie says. */
  async isKnownBrowser(uid: Uid, { headers }: GuardedRequest): Promise<boolean> {
    const account = await this.accounts.get(uid);
    return account !== null && this.devices.entryOf(headers, account.body) !== null;
  }

  async startForGuest(request: GuardedRequest, reply: FastifyReply): Promise<void> {
    await this.start({ uid: GUEST_UID, isGuest: true }, request, reply);
  }

  /** Signs out. The device cookie stays: only cached answers are cleared, not cookies. */
  async end({ uid, isGuest, sessionId }: Caller, reply: FastifyReply): Promise<void> {
    if (!isGuest) await this.accounts.markSeen(uid);
    await this.sessions.end(sessionId);
    void reply.removeHeader('Set-Cookie').headers({ 'Set-Cookie': clearedSessionCookie(this.config.PUBLIC_URL), 'Clear-Site-Data': '"cache"' });
  }

  /** Continues the caller's session under another id, which their browser gets as a cookie. @throws Refused `auth.required` if it has ended */
  async rename({ sessionId }: Caller, reply: FastifyReply): Promise<void> {
    const renamed = await this.sessions.rename(sessionId);
    if (renamed === null) throw new Refused('auth.required');
    void reply.removeHeader('Set-Cookie').header('Set-Cookie', sessionCookie(renamed.token, this.config.PUBLIC_URL));
  }

  /** Replaces the session that was sent along, so that a token from before signing in is worthless afterwards. */
  private async start({ uid, isGuest }: Pick<Caller, 'uid' | 'isGuest'>, request: GuardedRequest, reply: FastifyReply): Promise<string> {
    const { token, sessionId } = await this.sessions.start(uid, isGuest, deviceNameOf(request.headers['user-agent']));
    if (request.caller !== undefined) await this.sessions.end(request.caller.sessionId);
    // The guard may have renewed the cookie of the session that has just ended.
    void reply.removeHeader('Set-Cookie').header('Set-Cookie', sessionCookie(token, this.config.PUBLIC_URL));
    return sessionId;
  }
}
