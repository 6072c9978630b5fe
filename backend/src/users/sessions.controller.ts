import { Controller, Delete, Get, HttpCode, Param, Res } from '@nestjs/common';
import type { DeviceSession, SessionsAnswer } from '@roughmix/contracts/users/user.view.js';
import type { FastifyReply } from 'fastify';
import { Refused } from '../kernel/refusal.js';
import { type ListedSession, publicSessionId } from '../platform/auth/session-record.js';
import { Sessions } from '../platform/auth/sessions.js';
import { type Caller, CurrentCaller, GuestMay } from '../platform/http/caller.js';
import { AccountAccess } from './account-access.js';
import { BrowserSessions } from './browser-sessions.js';

/** The devices on which the caller is signed in. */
@Controller('api/auth/sessions')
@GuestMay()
export class SessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly browsers: BrowserSessions,
    private readonly access: AccountAccess,
  ) {}

  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<SessionsAnswer> {
    return { sessions: (await this.seenBy(caller)).map((session) => viewOf(session, caller)) };
  }

  /** Signs the caller out on every other device, and ends the e-mailed links, which could sign one in again. */
  @Delete()
  @HttpCode(204)
  async endOthers(@CurrentCaller() { uid, isGuest, sessionId }: Caller): Promise<void> {
    if (!isGuest) await this.access.end(uid, sessionId);
  }

  /** Signs the caller out on one device; on their own it is a logout. */
  @Delete(':id')
  @HttpCode(204)
  async end(@CurrentCaller() caller: Caller, @Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const session = (await this.seenBy(caller)).find((each) => publicSessionId(each.sessionId) === id);
    if (session === undefined) throw new Refused('session.not-found');
    if (session.sessionId === caller.sessionId) await this.browsers.end(caller, reply);
    else await this.sessions.end(session.sessionId);
  }

  /** The current one first, then the last used first. Every guest is the same user, so guests see their own only. */
  private async seenBy({ uid, isGuest, sessionId }: Caller): Promise<readonly ListedSession[]> {
    const current = await this.sessions.one(sessionId);
    const others = isGuest ? [] : (await this.sessions.listOf(uid)).filter((session) => session.sessionId !== sessionId);
    return [...(current === null ? [] : [current]), ...others];
  }
}

const viewOf = (session: ListedSession, caller: Caller): DeviceSession => ({
  _id: publicSessionId(session.sessionId),
  current: session.sessionId === caller.sessionId,
  dateAdded: session.createdAt,
  lastUsed: session.usedAt,
  device: session.device,
});
