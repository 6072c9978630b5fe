import { Command } from '@nestjs/cqrs';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { AddUserBody, EditUserBody } from '@roughmix/contracts/users/user.api.js';
import type { UpdatedUserAnswer, UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';

export class AddUser extends Command<CommandAnswer<UserAddedAnswer>> {
  constructor(readonly body: AddUserBody) {
    super();
  }
}

/** By the person themselves, from one of their sessions. */
export class EditUser extends Command<CommandAnswer<UpdatedUserAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly caller: { readonly uid: Uid; readonly sessionId: string },
    readonly body: EditUserBody,
  ) {
    super();
  }
}
