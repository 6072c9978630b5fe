import { Module, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { AuthModule } from '../platform/auth/auth.module.js';
import { ReactorRole } from '../platform/reactors/reactor-role.js';
import type { SliceParts } from '../platform/slice.js';
import { VaultKeys } from '../platform/auth/vault-keys.js';
import { AccountRecords } from './account-records.js';
import { AccountSeal } from './account-seal.js';
import { Accounts } from './accounts.js';
import { EarlierAccounts } from './earlier-accounts.js';
import { Reservations } from './reservations.js';
import { AddUserController } from './add-user.controller.js';
import { EraseUserController } from './erase-user.controller.js';
import { FirstAccount } from './first-account.js';
import { FirstAccountController } from './first-account.controller.js';
import { AccountAccess } from './account-access.js';
import { AccountDirectory } from './account-directory.js';
import { AccountErasure } from './account-erasure.js';
import { AccountViews } from './account-views.js';
import { AdminAccountsController } from './admin-accounts.controller.js';
import { EmailReceiversQueries } from './email-receivers.queries.js';
import { DeletePicturesWhenReplaced } from './delete-pictures-when-replaced.reactor.js';
import { ErasureRuns } from './erasure-runs.js';
import { Erasures } from './erasures.js';
import { BrowserSessions } from './browser-sessions.js';
import { Credentials } from './credentials.js';
import { EditUserHandler } from './edit-user.handler.js';
import { InvitedAccounts } from './invited-accounts.streams.js';
import { InviteSignIn } from './invite-sign-in.js';
import { InviteSignInController } from './invite-sign-in.controller.js';
import { PasswordResetController } from './password-reset.controller.js';
import { PasswordResets } from './password-resets.js';
import { PasswordThrottles } from './password-throttles.js';
import { PicturesController } from './pictures.controller.js';
import { ChangeCoverHandler, ChangePhotoHandler } from './pictures.handlers.js';
import { PasswordChanges } from './password-changes.js';
import { PasswordController } from './password.controller.js';
import { Registrations } from './registrations.js';
import { SecurityNotices } from './security-notices.js';
import { SelfQueries } from './self.queries.js';
import { SessionsController } from './sessions.controller.js';
import { SignInController } from './sign-in.controller.js';
import { SignIn } from './sign-in.js';
import { TimeZones } from './time-zones.js';
import { StaffAccountsController } from './staff-accounts.controller.js';
import { UserStreams } from './user.streams.js';
import { VisitController } from './visit.controller.js';
import { Visits } from './visits.js';
import { UsersChores } from './users.chores.js';
import { UsersController } from './users.controller.js';
import { Usernames } from './usernames.js';
import { AddUserHandler } from './users.handlers.js';
import { WelcomeForm } from './welcome-form.js';
import { UsersPushes } from './users.pushes.js';
import { UsersQueries } from './users.queries.js';

@Module({
  imports: [AuthModule],
  controllers: [
    UsersController,
    PicturesController,
    SignInController,
    PasswordController,
    PasswordResetController,
    InviteSignInController,
    FirstAccountController,
    SessionsController,
    VisitController,
    StaffAccountsController,
    AdminAccountsController,
    AddUserController,
    EraseUserController,
  ],
  providers: [
    { provide: AccountSeal, useFactory: (keys: VaultKeys) => new AccountSeal(keys.key('accounts')), inject: [VaultKeys] },
    AccountRecords,
    Reservations,
    EarlierAccounts,
    Accounts,
    BrowserSessions,
    Credentials,
    InviteSignIn,
    FirstAccount,
    AccountAccess,
    PasswordChanges,
    PasswordResets,
    PasswordThrottles,
    SecurityNotices,
    Registrations,
    SelfQueries,
    SignIn,
    TimeZones,
    AccountDirectory,
    EmailReceiversQueries,
    AccountViews,
    Visits,
    AccountErasure,
    ErasureRuns,
    Erasures,
    Usernames,
    InvitedAccounts,
    UsersChores,
    WelcomeForm,
    EditUserHandler,
    ChangePhotoHandler,
    ChangeCoverHandler,
    DeletePicturesWhenReplaced,
    UsersPushes,
    AddUserHandler,
  ],
  exports: [
    SelfQueries,
    EmailReceiversQueries,
    UsersPushes,
    DeletePicturesWhenReplaced,
    Accounts,
    BrowserSessions,
    Credentials,
    Registrations,
    Erasures,
    InvitedAccounts,
  ],
})
export class UsersModule implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly records: AccountRecords,
    private readonly reservations: Reservations,
    private readonly earlier: EarlierAccounts,
    private readonly registrations: Registrations,
    private readonly runs: ErasureRuns,
    private readonly passwordChanges: PasswordChanges,
    private readonly reactors: ReactorRole,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.records.declare();
    await this.reservations.declare();
    await this.earlier.seal();
    await this.runs.declare();
  }

  /** Before the first request, unless another process does it. Unfinished erasures are left to the chore: one that fails must not keep the program from starting. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.reactors.isAlone) return;
    await this.registrations.ensureGuest();
    await this.passwordChanges.completeInterrupted(true);
  }
}

export const parts: SliceParts = {
  module: UsersModule,
  doors: [UsersQueries, UserStreams],
  pushes: [UsersPushes],
  userStreams: [UsersPushes],
  reactors: [DeletePicturesWhenReplaced],
  chores: [UsersChores, PasswordChanges],
};
