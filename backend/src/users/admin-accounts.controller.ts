import { Body, Controller, HttpCode, Param, Post, Put } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { AccountBody, StaffRoleBody } from '@roughmix/contracts/users/user.api.js';
import type { AccountAnswer, UserInfoAnswer } from '@roughmix/contracts/users/user.view.js';
import { Refused } from '../kernel/refusal.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';
import { CommandAnswer } from '../platform/http/command-answer.js';
import { StaffStreams } from '../staff/staff.streams.js';
import { AccountDirectory } from './account-directory.js';
import { AccountViews } from './account-views.js';

@Controller('api/admin/:key/users')
@AdminKeyOnly()
export class AdminAccountsController {
  constructor(
    private readonly accounts: AccountViews,
    private readonly directory: AccountDirectory,
    private readonly staff: StaffStreams,
  ) {}

  @Post('getUserInfo')
  @HttpCode(200)
  info(@Body() { uid }: AccountBody): Promise<UserInfoAnswer> {
    return this.accounts.info(uid);
  }

  /** Effective from the person's next request; their open sockets stay. */
  @Put(':uid/staffRole')
  async changeRole(@Param('uid') uid: Uid, @Body() { staffRole }: StaffRoleBody): Promise<CommandAnswer<AccountAnswer>> {
    if ((await this.directory.personOf(uid)) !== uid) throw new Refused('user.not-found');
    const { position } = await this.staff.change(uid, staffRole);
    return new CommandAnswer({ account: await this.accounts.one(uid) }, position, false);
  }
}
