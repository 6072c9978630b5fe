import { Command } from '@nestjs/cqrs';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { AddUserBody, EditUserBody, UserImageBody } from '@roughmix/contracts/users/user.api.js';
import type { CoverAnswer, PhotoAnswer, UpdatedUserAnswer, UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
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

/** Null restores the generated face. */
export class ChangePhoto extends Command<CommandAnswer<PhotoAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly body: UserImageBody | null,
  ) {
    super();
  }
}

/** Null removes the cover. */
export class ChangeCover extends Command<CommandAnswer<CoverAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly body: UserImageBody | null,
  ) {
    super();
  }
}
