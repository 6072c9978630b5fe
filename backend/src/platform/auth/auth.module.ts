import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { AdminKeyGuard } from './admin-key.guard.js';
import { DeviceCookies } from './device-cookie.js';
import { Sessions } from './sessions.js';
import { Throttle } from './throttle.js';

/** Sessions, device cookies, throttling and the admin key. Needs VAULT, CONFIG, CLOCK, SECRETS and VaultKeys from outside. */
@Global()
@Module({ providers: [Sessions, Throttle, DeviceCookies, AdminKeyGuard], exports: [Sessions, Throttle, DeviceCookies, AdminKeyGuard] })
export class AuthModule implements OnModuleInit {
  constructor(
    private readonly sessions: Sessions,
    private readonly throttle: Throttle,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.sessions.declare();
    await this.throttle.declare();
  }
}
