import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AddUserBody } from '@roughmix/contracts/users/user.api.js';
import type { UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { AddUser } from './users.commands.js';

@Controller('api/admin/:key/users')
@AdminKeyOnly()
export class AddUserController {
  constructor(private readonly commands: CommandBus) {}

  @Post('addUser')
  add(@Body() body: AddUserBody): Promise<CommandAnswer<UserAddedAnswer>> {
    return this.commands.execute(new AddUser(body));
  }
}
