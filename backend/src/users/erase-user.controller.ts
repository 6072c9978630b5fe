import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { EraseUserBody, RemoveUserBody } from '@roughmix/contracts/users/user.api.js';
import type { UserErasedAnswer, UserRemovedAnswer } from '@roughmix/contracts/users/user.view.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';
import { Erasures } from './erasures.js';

@Controller('api/admin/:key/users')
@AdminKeyOnly()
export class EraseUserController {
  constructor(private readonly erasures: Erasures) {}

  /** Permanent. Repeating it completes an interrupted erasure and returns the same. */
  @Post('erase')
  @HttpCode(200)
  async erase(@Body() { user }: EraseUserBody): Promise<UserErasedAnswer> {
    const { uid, removedProjects, keptProjects } = await this.erasures.erase(user);
    return { erased: uid, removedProjects, keptProjects };
  }

  /** As `erase`, also for an address without an account; repeating it is 404. */
  @Post('removeUser')
  @HttpCode(200)
  async remove(@Body() body: RemoveUserBody): Promise<UserRemovedAnswer> {
    const { uid: erased, ...removed } = await this.erasures.remove(body.uid);
    return { message: 'Delete Confirmed', erased, ...removed };
  }
}
