import { Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AuthModule } from '../platform/auth/auth.module.js';
import type { ProjectionLog } from '../platform/projections/projection-runner.js';
import { ErasedTexts } from '../platform/personal-data/erased-texts.js';
import { LOG } from '../platform/tokens.js';
import { Accounts } from './accounts.js';
import { AddUserController } from './add-user.controller.js';
import { EraseUserController } from './erase-user.controller.js';
import { ErasedAccounts } from './erased-accounts.js';
import { Erasures } from './erasures.js';
import { BrowserSessions } from './browser-sessions.js';
import { Registrations } from './registrations.js';
import { SelfQueries } from './self.queries.js';
import { SignInController } from './sign-in.controller.js';
import { SignIn } from './sign-in.js';
import { UserStreams } from './user.streams.js';
import { UsersController } from './users.controller.js';
import { AddUserHandler } from './users.handlers.js';

const SWEEP_MS = 60 * 60_000;

@Module({
  imports: [AuthModule],
  controllers: [UsersController, SignInController, AddUserController, EraseUserController],
  providers: [Accounts, BrowserSessions, UserStreams, Registrations, SelfQueries, SignIn, ErasedAccounts, ErasedTexts, Erasures, AddUserHandler],
  exports: [SelfQueries, UserStreams, Accounts, Erasures],
})
export class UsersModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    private readonly accounts: Accounts,
    private readonly registrations: Registrations,
    private readonly erasures: Erasures,
    @Inject(LOG) private readonly log: ProjectionLog,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.accounts.declare();
    await this.erasures.declare();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.registrations.ensureGuest();
    await this.erasures.completeBegun();
    this.sweeping = setInterval(() => void this.sweep(), SWEEP_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.sweeping);
  }

  private async sweep(): Promise<void> {
    try {
      await this.accounts.sweep();
    } catch (error) {
      this.log.error({ err: error }, 'reservations were not swept');
    }
  }
}
