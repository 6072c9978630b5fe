import { Global, Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ProjectionLog } from '../projections/projection-runner.js';
import { LOG } from '../tokens.js';
import { AdminKeyGuard } from './admin-key.guard.js';
import { DeviceCookies } from './device-cookie.js';
import { Passwords } from './passwords.js';
import { Sessions } from './sessions.js';
import { Throttle } from './throttle.js';

const SWEEP_MS = 60 * 60_000;

/** Who is signed in, and who tries to be. Needs VAULT, CONFIG, CLOCK, LOG, SECRETS and VaultKeys from outside. */
@Global()
@Module({ providers: [Sessions, Throttle, Passwords, DeviceCookies, AdminKeyGuard], exports: [Sessions, Throttle, Passwords, DeviceCookies, AdminKeyGuard] })
export class AuthModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    private readonly sessions: Sessions,
    private readonly throttle: Throttle,
    @Inject(LOG) private readonly log: ProjectionLog,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.sessions.declare();
    await this.throttle.declare();
  }

  onApplicationBootstrap(): void {
    this.sweeping = setInterval(() => void this.sweep(), SWEEP_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.sweeping);
  }

  private async sweep(): Promise<void> {
    try {
      await this.sessions.sweep();
      await this.throttle.sweep();
    } catch (error) {
      this.log.error({ err: error }, 'what is over was not swept');
    }
  }
}
