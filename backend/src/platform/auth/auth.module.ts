import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { AdminKeyGuard } from './admin-key.guard.js';
import { DeviceCookies } from './device-cookie.js';
import { Passwords } from './passwords.js';
import { Sessions } from './sessions.js';
import { Throttle } from './throttle.js';

/** Who is signed in, and who tries to be. Needs VAULT, CONFIG, CLOCK, SECRETS and VaultKeys from outside. */
@Global()
@Module({ providers: [Sessions, Throttle, Passwords, DeviceCookies, AdminKeyGuard], exports: [Sessions, Throttle, Passwords, DeviceCookies, AdminKeyGuard] })
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
