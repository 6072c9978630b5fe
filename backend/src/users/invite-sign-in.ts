import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply } from 'fastify';
import { Refused } from '../kernel/refusal.js';
import { LinkTokens } from '../platform/auth/link-tokens.js';
import { Sessions } from '../platform/auth/sessions.js';
import type { GuardedRequest } from '../platform/http/caller.js';
import { noteConcerned } from '../platform/security/security-scope.js';
import { Accounts } from './accounts.js';
import { BrowserSessions } from './browser-sessions.js';

/** A sign-in by an invite link. */
export interface InvitedSession {
  readonly uid: Uid;
  readonly sessionId: string;
  /** The account signed in from this browser before. */
  readonly isKnownBrowser: boolean;
}

/** Signs invited users in by their invite link, which stays valid until they choose a password or sign out everywhere else. */
@Injectable()
export class InviteSignIn {
  constructor(
    private readonly accounts: Accounts,
    private readonly links: LinkTokens,
    private readonly browserSessions: BrowserSessions,
    private readonly sessions: Sessions,
  ) {}

  /** Starts a session and ends the one that the previous use of the link started. @throws Refused `invite.spent`; Throttled */
  async signIn(token: string, request: GuardedRequest, reply: FastifyReply): Promise<InvitedSession> {
    const found = await this.links.present('invite', token, request.ip);
    if (found !== null) noteConcerned(found.body.uid);
    if (found === null || (await this.accounts.isLocked(found.body.uid))) throw new Refused('invite.spent');
    const { uid } = found.body;
    const isKnownBrowser = await this.browserSessions.isKnownBrowser(uid, request);
    const sessionId = await this.browserSessions.startFor(uid, request, reply);
    const previous = await this.claim(token, sessionId);
    if (previous === undefined || (await this.accounts.isLocked(uid))) {
      await this.browserSessions.end({ uid, isGuest: false, sessionId }, reply);
      throw new Refused('invite.spent');
    }
    if (previous !== null && previous !== sessionId) await this.sessions.end(previous);
    return { uid, sessionId, isKnownBrowser };
  }

  /** Notes the session that this use started. @returns that of the previous use, if any; undefined if the link is no longer valid */
  private async claim(token: string, sessionId: string): Promise<string | null | undefined> {
    for (let found = await this.links.find('invite', token); found !== null; found = await this.links.find('invite', token)) {
      if (await this.links.noteSession(found, sessionId)) return found.body.sessionId;
    }
    return undefined;
  }
}
