import { Command } from '@nestjs/cqrs';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';

/** Blocks or unblocks another user. */
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
