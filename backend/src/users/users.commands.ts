import { Command } from '@nestjs/cqrs';
import type { AddUserBody } from '@roughmix/contracts/users/user.api.js';
import type { UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';

export class AddUser extends Command<CommandAnswer<UserAddedAnswer>> {
  constructor(readonly body: AddUserBody) {
    super();
  }
}
