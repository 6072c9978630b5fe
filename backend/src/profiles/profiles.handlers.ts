import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UpdatedUserAnswer } from '@roughmix/contracts/users/user.view.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { SelfQueries } from '../users/self.queries.js';
import { UserStreams } from '../users/user.streams.js';
import { UsersQueries } from '../users/users.queries.js';
import { ConnectionsQueries } from './connections.queries.js';
import { ChangeConnection } from './profiles.commands.js';

@CommandHandler(ChangeConnection)
export class ChangeConnectionHandler implements ICommandHandler<ChangeConnection> {
  constructor(
    private readonly streams: UserStreams,
    private readonly users: UsersQueries,
    private readonly connections: ConnectionsQueries,
    private readonly selves: SelfQueries,
  ) {}

  async execute({ context, uid, otherUid, follows }: ChangeConnection): Promise<CommandAnswer<UpdatedUserAnswer>> {
    const done = await this.streams.run(context, uid, async () => {
      await this.users.requireAccount(otherUid);
      const { uids, position } = await this.connections.of(uid);
      return { type: follows ? 'FollowUser' : 'UnfollowUser', data: { otherUid, known: { isConnected: uids.includes(otherUid), position } } };
    });
    return this.streams.answer(done, async () => ({ updatedUser: await this.selves.view(uid) }));
  }
}
