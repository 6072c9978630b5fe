import { Command } from '@nestjs/cqrs';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';

/** Blocks another user, or ends that. */
export class ChangeBlock extends Command<CommandAnswer<undefined>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly otherUid: Uid,
    readonly blocks: boolean,
  ) {
    super();
  }
}
