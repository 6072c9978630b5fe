import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { isInvalidName } from '@roughmix/contracts/users/person-name.js';
import type { EditUserBody } from '@roughmix/contracts/users/user.api.js';
import type { UpdatedUserAnswer } from '@roughmix/contracts/users/user.view.js';
import { Refused } from '../kernel/refusal.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { SecurityLog } from '../platform/security/security-log.js';
import { SelfQueries } from './self.queries.js';
import { Turns } from './turns.js';
import type { UserCommand } from './user.decider.js';
import { UserStreams } from './user.streams.js';
import { EditUser } from './users.commands.js';
import { chosenUsername, requireOwnName, Usernames } from './usernames.js';
import { WelcomeForm } from './welcome-form.js';

/** @throws Refused `request.invalid` for an empty name; in the welcome form also for a missing first or last name */
function requireNames(body: EditUserBody): void {
  for (const field of ['firstName', 'lastName'] as const) {
    if (body[field] === '' || (body[field] === undefined && body.newPassword !== undefined)) throw new Refused('request.invalid', { field });
  }
  if (body.username === '' && body.newPassword === undefined) throw new Refused('request.invalid', { field: 'username' });
}

/** Changes a profile. With a new password it is the welcome form, whose checks have an order of their own. */
@CommandHandler(EditUser)
export class EditUserHandler implements ICommandHandler<EditUser> {
  private readonly turns = new Turns();

  constructor(
    private readonly streams: UserStreams,
    private readonly usernames: Usernames,
    private readonly welcome: WelcomeForm,
    private readonly selves: SelfQueries,
    private readonly security: SecurityLog,
  ) {}

  async execute(command: EditUser): Promise<CommandAnswer<UpdatedUserAnswer>> {
    // A form that is sent twice at once: the second finds what the first did, instead of a password that is changing.
    return this.turns.run(command.caller.uid, () => this.edit(command));
  }

  private async edit({ context, caller, body }: EditUser): Promise<CommandAnswer<UpdatedUserAnswer>> {
    const { uid } = caller;
    let claimed = null as string | null;
    try {
      const done = await this.streams.run(context, uid, async () => {
        if (body.newPassword !== undefined) await this.welcome.requireIncomplete(uid);
        requireNames(body);
        await this.requireUsableNames(uid, body);
        const password = body.newPassword === undefined ? null : await this.welcome.check(uid, body.newPassword);
        claimed = await this.claimedName(uid, body);
        if (password !== null) {
          await password.set(caller.sessionId);
          this.security.record('password.changed', { target: uid });
        }
        return commandOf(body, claimed, context.at);
      });
      claimed = null;
      await this.usernames.settle(uid);
      return await this.streams.answer(done, async () => ({ updatedUser: await this.selves.view(uid) }));
    } finally {
      if (claimed !== null) await this.usernames.settle(uid, claimed);
    }
  }

  /** @throws Refused `name.space`, `name.reserved` */
  private async requireUsableNames(uid: Uid, { firstName, lastName }: EditUserBody): Promise<void> {
    if (firstName === undefined && lastName === undefined) return;
    if ([firstName ?? '', lastName ?? ''].some(isInvalidName)) throw new Refused('name.space');
    const person = await this.streams.person(uid);
    requireOwnName({ firstName: firstName ?? person?.firstName ?? '', lastName: lastName ?? person?.lastName ?? '' });
  }

  /** The username to have, reserved; null to keep the current one. @throws Refused `username.invalid`, `user.username-taken` */
  private async claimedName(uid: Uid, { username, firstName = '', lastName = '', newPassword }: EditUserBody): Promise<string | null> {
    if (newPassword !== undefined && (username ?? '') === '') return this.welcome.claimDerivedName(uid, { firstName, lastName });
    if (username === undefined) return null;
    const chosen = chosenUsername(username);
    if (chosen === null) throw new Refused('username.invalid', { field: 'username' });
    if (!(await this.usernames.claim(chosen, uid))) throw new Refused('user.username-taken', { field: 'username' });
    return chosen;
  }
}

const commandOf = ({ firstName, lastName, info = {}, settings = {}, newPassword }: EditUserBody, username: string | null, at: Instant): UserCommand => ({
  type: 'EditUser',
  data: { names: { firstName, lastName, username: username ?? undefined }, info, settings, completesProfile: newPassword !== undefined, at },
});
