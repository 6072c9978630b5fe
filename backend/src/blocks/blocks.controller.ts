import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { EmptyBody } from '@roughmix/contracts/users/user.api.js';
import type { UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import { ActorParam } from '../platform/http/caller.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { UsersQueries } from '../users/users.queries.js';
import { ChangeBlock } from './blocks.commands.js';
import { BlocksQueries } from './blocks.queries.js';

/** The people whom a user blocks; nobody else can read or change them. */
@Controller('api/users')
export class BlocksController {
  constructor(
    private readonly blocks: BlocksQueries,
    private readonly users: UsersQueries,
    private readonly commands: CommandBus,
  ) {}

  /** By name. */
  @Get(':uid/blocked')
  @ActorParam('uid')
  async list(@Param('uid') uid: Uid): Promise<UsersAnswer> {
    return { users: await this.users.byName((await this.blocks.of(uid)).uids) };
  }

  @Put(':uid/blocked/:otherUid')
  @ActorParam('uid')
  @HttpCode(204)
  block(
    @CurrentContext() context: CommandContext,
    @Param('uid') uid: Uid,
    @Param('otherUid') otherUid: Uid,
    @Body() _body: EmptyBody,
  ): Promise<CommandAnswer<undefined>> {
    return this.commands.execute(new ChangeBlock(context, uid, otherUid, true));
  }

  @Delete(':uid/blocked/:otherUid')
  @ActorParam('uid')
  @HttpCode(204)
  unblock(@CurrentContext() context: CommandContext, @Param('uid') uid: Uid, @Param('otherUid') otherUid: Uid): Promise<CommandAnswer<undefined>> {
    return this.commands.execute(new ChangeBlock(context, uid, otherUid, false));
  }
}
