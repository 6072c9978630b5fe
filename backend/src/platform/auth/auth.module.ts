import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { AdminKeyGuard } from './admin-key.guard.js';
import { InviteLinks } from './invite-links.js';
import { LinkTokens } from './link-tokens.js';
import { DeviceCookies } from './device-cookie.js';
import { PasswordCheck } from './password-check.js';
import { ResetLinks } from './reset-links.js';
import { Sessions } from './sessions.js';
import { Throttle } from './throttle.js';

const parts = [Sessions, Throttle, DeviceCookies, PasswordCheck, AdminKeyGuard, LinkTokens, InviteLinks, ResetLinks];

/** Sessions, device cookies, e-mailed links, throttling and the admin key. Needs VAULT, CONFIG, CLOCK, SECRETS, Passwords, VaultKeys and EmailQueue from outside. */
@Global()
@Module({ providers: parts, exports: parts })
export class AuthModule implements OnModuleInit {
  constructor(
    private readonly sessions: Sessions,
    private readonly throttle: Throttle,
    private readonly links: LinkTokens,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.sessions.declare();
    await this.throttle.declare();
    await this.links.declare();
  }
}
