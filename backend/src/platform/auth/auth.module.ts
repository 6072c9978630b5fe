import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { SecurityLog } from '../security/security-log.js';
import { AdminKeyGuard } from './admin-key.guard.js';
import { InviteLinks } from './invite-links.js';
import { LinkTokens } from './link-tokens.js';
import { DeviceCookies } from './device-cookie.js';
import { PasswordCheck } from './password-check.js';
import { ResetLinks } from './reset-links.js';
import { publicSessionId } from './session-record.js';
import { Sessions } from './sessions.js';
import { Throttle } from './throttle.js';

const parts = [Sessions, Throttle, DeviceCookies, PasswordCheck, AdminKeyGuard, LinkTokens, InviteLinks, ResetLinks];

/** Sessions, device cookies, e-mailed links, throttling and the admin key. Needs VAULT, CONFIG, CLOCK, SECRETS, Passwords, VaultKeys, EmailQueue and SecurityLog from outside. */
@Global()
@Module({ providers: parts, exports: parts })
export class AuthModule implements OnModuleInit {
  constructor(
    private readonly sessions: Sessions,
    private readonly throttle: Throttle,
    private readonly links: LinkTokens,
    private readonly security: SecurityLog,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.sessions.declare();
    await this.throttle.declare();
    await this.links.declare();
    this.sessions.onStarted((sessionId, uid) => this.security.record('session.started', { actor: uid, target: publicSessionId(sessionId) }));
    this.sessions.onEnded((sessionId) => this.security.record('session.ended', { target: publicSessionId(sessionId) }));
  }
}
