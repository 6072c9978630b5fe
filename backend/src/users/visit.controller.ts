import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { VisitBody } from '@roughmix/contracts/users/user.api.js';
import type { VisitAnswer } from '@roughmix/contracts/users/user.view.js';
import { GuestMay, type GuardedRequest, Public } from '../platform/http/caller.js';
import { Visits } from './visits.js';

@Controller('api/auth/visit')
@Public()
@GuestMay()
export class VisitController {
  constructor(private readonly visits: Visits) {}

  @Post()
  @HttpCode(200)
  async visit(@Req() { caller }: GuardedRequest, @Body() { href }: VisitBody): Promise<VisitAnswer> {
    return { access: await this.visits.accessOf(href, caller) };
  }
}
