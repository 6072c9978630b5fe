import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply } from 'fastify';
import { DeviceCookies } from '../platform/auth/device-cookie.js';
import { noSessionCookie, sessionCookie } from '../platform/auth/session-cookie.js';
import { Sessions } from '../platform/auth/sessions.js';
import type { Config } from '../platform/config/config.js';
import type { Caller, KnownRequest } from '../platform/http/caller.js';
import { CONFIG } from '../platform/tokens.js';
import { GUEST_UID } from './registrations.js';

/** Begins and ends sessions together with the cookies that hold them. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly sessions: Sessions,
    private readonly devices: DeviceCookies,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** A person's session, by its id; their browser is known from now on. */
  async startFor(uid: Uid, request: KnownRequest, reply: FastifyReply): Promise<string> {
    const sessionId = await this.start({ uid, isGuest: false }, request, reply);
    void reply.header('Set-Cookie', this.devices.remember(request.headers, uid));
    return sessionId;
  }

  async startForGuest(request: KnownRequest, reply: FastifyReply): Promise<void> {
    await this.start({ uid: GUEST_UID, isGuest: true }, request, reply);
  }

  async end({ sessionId }: Pick<Caller, 'sessionId'>, reply: FastifyReply): Promise<void> {
    await this.sessions.end(sessionId);
    void reply.removeHeader('Set-Cookie').header('Set-Cookie', noSessionCookie(this.config.PUBLIC_URL));
  }

  /** A new session takes the place of the one sent along: a token from before signing in is worth nothing afterwards. */
  private async start({ uid, isGuest }: Pick<Caller, 'uid' | 'isGuest'>, request: KnownRequest, reply: FastifyReply): Promise<string> {
    const { token, sessionId } = await this.sessions.start(uid, isGuest);
    if (request.caller !== undefined) await this.sessions.end(request.caller.sessionId);
    // The guard may have renewed the cookie of the session that has just ended.
    void reply.removeHeader('Set-Cookie').header('Set-Cookie', sessionCookie(token, this.config.PUBLIC_URL));
    return sessionId;
  }
}
