import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isMember } from '@roughmix/contracts/projects/project.access.js';
import { EditUserBody } from '@roughmix/contracts/users/user.api.js';
import type { UpdatedUserAnswer, UserAnswer, UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import { Refused } from '../kernel/refusal.js';
import { ActorParam, type Caller, CurrentCaller } from '../platform/http/caller.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { LongBody } from '../platform/http/long-body.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { SelfQueries } from './self.queries.js';
import { EditUser } from './users.commands.js';
import { UsersQueries } from './users.queries.js';

@Controller('api/users')
export class UsersController {
  constructor(
    private readonly users: UsersQueries,
    private readonly selves: SelfQueries,
    private readonly access: ProjectAccessQueries,
    private readonly commands: CommandBus,
  ) {}

  @Get('auth/:uid')
  @ActorParam('uid')
  async self(@CurrentCaller() caller: Caller): Promise<UserAnswer> {
    return { user: await this.selves.view(caller.uid) };
  }

  @Get('search')
  async search(@CurrentCaller() caller: Caller, @Query('q') query: unknown): Promise<UsersAnswer> {
    if (caller.isGuest) throw new Refused('guest.read-only');
    if (typeof query !== 'string') throw new Refused('request.invalid', { field: 'q' });
    return { users: await this.users.search(query, caller.uid) };
  }

  @Put(':uid')
  @LongBody()
  @ActorParam('uid')
  edit(@CurrentCaller() caller: Caller, @CurrentContext() context: CommandContext, @Body() body: EditUserBody): Promise<CommandAnswer<UpdatedUserAnswer>> {
    return this.commands.execute(new EditUser(context, caller, body));
  }

  /** A project's members, the owner first. */
  @Get(':uid/fetchProjectUsers')
  @ActorParam('uid')
  async projectUsers(@CurrentCaller() caller: Caller, @Query('projectId') projectId: unknown): Promise<UsersAnswer> {
    if (typeof projectId !== 'string') throw new Refused('request.invalid', { field: 'projectId' });
    const { project, who } = await this.access.require(projectId, caller.uid);
    if (!isMember(who)) throw new Refused('project.not-found');
    const uids = [project.ownerUid, ...Object.keys(project.members)];
    return { users: uids.map(await this.users.people(uids)) };
  }
}
