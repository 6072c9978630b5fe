import { Controller, Get, Query } from '@nestjs/common';
import type { AccountsAnswer } from '@roughmix/contracts/users/user.view.js';
import { type PageQuery, pageRequest } from '../platform/http/paging.js';
import { StaffOnly } from '../staff/staff.queries.js';
import { AccountViews } from './account-views.js';

@Controller('api/staff/accounts')
@StaffOnly('admin')
export class StaffAccountsController {
  constructor(private readonly accounts: AccountViews) {}

  @Get()
  list(@Query() query: PageQuery & { readonly q?: unknown }): Promise<AccountsAnswer> {
    return this.accounts.list(query.q, pageRequest(query));
  }
}
