import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { SecurityLog } from '../platform/security/security-log.js';
import { UserStreams } from '../users/user.streams.js';
import { UsersQueries } from '../users/users.queries.js';
import { ChangeBlock } from './blocks.commands.js';
import { BlocksQueries } from './blocks.queries.js';

@CommandHandler(ChangeBlock)
export class ChangeBlockHandler implements ICommandHandler<ChangeBlock> {
  constructor(
    private readonly streams: UserStreams,
    private readonly users: UsersQueries,
    private readonly blocks: BlocksQueries,
    private readonly security: SecurityLog,
  ) {}

  async execute({ context, uid, otherUid, blocks }: ChangeBlock): Promise<CommandAnswer<undefined>> {
    const done = await this.streams.run(context, uid, async () => {
      await this.users.requireAccount(otherUid);
      return { type: blocks ? 'BlockUser' : 'UnblockUser', data: { otherUid } };
    });
    if (done.events.length > 0 && !done.replayed) this.security.record(blocks ? 'user.blocked' : 'user.unblocked', { target: otherUid });
    return this.streams.answer(done, async () => {
      // Waits for the read model, so that the block applies once this is answered.
      await this.blocks.of(uid);
      return undefined;
    });
  }
}
