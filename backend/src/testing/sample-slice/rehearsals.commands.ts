import { Command } from '@nestjs/cqrs';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { CommandAnswer } from '../../platform/http/command-answer.js';
import type { CommandContext } from '../../platform/streams/streams.js';
import type { RehearsalCommand } from './rehearsal.decider.js';
import type { RehearsalAnswer } from './rehearsal.view.js';

/** A person's command to one rehearsal. */
export class CommandRehearsal extends Command<CommandAnswer<RehearsalAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly rehearsalId: Id,
    readonly command: RehearsalCommand,
  ) {
    super();
  }
}
