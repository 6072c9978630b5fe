import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import { CommandAnswer } from '../platform/http/command-answer.js';
import { Erasures } from './erasures.js';
import { Registrations } from './registrations.js';
import { SelfQueries } from './self.queries.js';
import { AddUser } from './users.commands.js';

@CommandHandler(AddUser)
export class AddUserHandler implements ICommandHandler<AddUser> {
  constructor(
    private readonly registrations: Registrations,
    private readonly selves: SelfQueries,
    private readonly erasures: Erasures,
  ) {}

  async execute({ body }: AddUser): Promise<CommandAnswer<UserAddedAnswer>> {
    const { uid, position } = await this.registrations.register(body);
    await this.erasures.finishOvertaken(uid);
    return new CommandAnswer({ message: 'Account Created.', user: await this.selves.view(uid) }, position, false);
  }
}
