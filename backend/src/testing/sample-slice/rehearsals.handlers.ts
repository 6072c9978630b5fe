import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandAnswer } from '../../platform/http/command-answer.js';
import { RehearsalStreams } from './rehearsal.streams.js';
import type { RehearsalAnswer } from './rehearsal.view.js';
import { CommandRehearsal } from './rehearsals.commands.js';
import { RehearsalsQueries } from './rehearsals.queries.js';

@CommandHandler(CommandRehearsal)
export class CommandRehearsalHandler implements ICommandHandler<CommandRehearsal> {
  constructor(
    private readonly streams: RehearsalStreams,
    private readonly rehearsals: RehearsalsQueries,
  ) {}

  async execute({ context, uid, rehearsalId, command }: CommandRehearsal): Promise<CommandAnswer<RehearsalAnswer>> {
    const done = await this.streams.run(context, rehearsalId, command);
    return this.streams.answer(done, async () => ({ rehearsal: await this.rehearsals.seenBy(rehearsalId, uid) }));
  }
}
