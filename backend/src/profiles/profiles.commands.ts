import { Command } from '@nestjs/cqrs';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { UpdatedUserAnswer } from '@roughmix/contracts/users/user.view.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';

/** Takes another user into the caller's connections, or out of them. */
export class ChangeConnection extends Command<CommandAnswer<UpdatedUserAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly otherUid: Uid,
    readonly follows: boolean,
  ) {
    super();
  }
}
