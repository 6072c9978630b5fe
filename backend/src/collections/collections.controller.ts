import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EditCollectionBody, NewCollectionBody } from '@roughmix/contracts/collections/collection.api.js';
import type {
  CollectionRemovedAnswer,
  CollectionsAnswer,
  NewCollectionAnswer,
  UpdatedCollectionAnswer,
} from '@roughmix/contracts/collections/collection.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { EmptyBody } from '@roughmix/contracts/users/user.api.js';
import { ActorParam, type Caller, CurrentCaller } from '../platform/http/caller.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { AddCollection, EditCollection, RemoveCollection, TakeOutProject } from './collections.commands.js';
import { CollectionsQueries } from './collections.queries.js';

@Controller('api/collections')
export class CollectionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly collections: CollectionsQueries,
  ) {}

  @Get(':uid')
  @ActorParam('uid')
  async list(@Param('uid') uid: Uid): Promise<CollectionsAnswer> {
    return { collections: await this.collections.ofOwner(uid) };
  }

  @Post(':uid')
  @ActorParam('uid')
  add(@CurrentContext() context: CommandContext, @Param('uid') uid: Uid, @Body() body: NewCollectionBody): Promise<CommandAnswer<NewCollectionAnswer>> {
    return this.commands.execute(new AddCollection(context, uid, body));
  }

  /** Declared before the route below, which has the same form. */
  @Put('removeProject/:projectId')
  takeOutProject(
    @CurrentCaller() { uid }: Caller,
    @CurrentContext() context: CommandContext,
    @Param('projectId') projectId: Id,
    @Body() _body: EmptyBody,
  ): Promise<CommandAnswer<CollectionsAnswer>> {
    return this.commands.execute(new TakeOutProject(context, uid, projectId));
  }

  @Put(':uid/:collectionId')
  @ActorParam('uid')
  edit(
    @CurrentContext() context: CommandContext,
    @Param('uid') uid: Uid,
    @Param('collectionId') collectionId: Id,
    @Body() body: EditCollectionBody,
  ): Promise<CommandAnswer<UpdatedCollectionAnswer>> {
    return this.commands.execute(new EditCollection(context, uid, collectionId, body));
  }

  @Post(':uid/:collectionId')
  @HttpCode(200)
  @ActorParam('uid')
  remove(
    @CurrentContext() context: CommandContext,
    @Param('uid') uid: Uid,
    @Param('collectionId') collectionId: Id,
    @Body() _body: EmptyBody,
  ): Promise<CommandAnswer<CollectionRemovedAnswer>> {
    return this.commands.execute(new RemoveCollection(context, uid, collectionId));
  }
}
