import { Body, Controller, Param, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChildTagBody, PostOfTagBody, TagBody } from '@roughmix/contracts/regions/tagged-region.api.js';
import type { TagAnswer } from '@roughmix/contracts/regions/tagged-region.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { spanChangeOf } from '@roughmix/contracts/shared/marks.api.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { ChangeTag } from './tagged-regions.handlers.js';

type Answer<Shown extends keyof TagAnswer> = Promise<CommandAnswer<Pick<TagAnswer, Shown | 'updatedProject'>>>;

/** Each call changes the tag of one post. */
@Controller('api/taggedRegions')
export class TaggedRegionsController {
  constructor(private readonly commands: CommandBus) {}

  @Put('insertPostId')
  tag(@CurrentContext() context: CommandContext, @Body() body: TagBody): Answer<'updatedRegion'> {
    return this.commands.execute(new ChangeTag(context, body, { to: 'region', regionId: body.regionId, span: {} }, ['updatedRegion']));
  }

  @Put('removePostId')
  untagRegion(@CurrentContext() context: CommandContext, @Body() body: TagBody): Answer<'updatedRegion'> {
    return this.commands.execute(new ChangeTag(context, body, { to: 'nothing', regionId: body.regionId }, ['updatedRegion']));
  }

  @Put('removeTaggedRegion')
  untagPost(@CurrentContext() context: CommandContext, @Body() body: TagBody): Answer<'newContent'> {
    return this.commands.execute(new ChangeTag(context, body, { to: 'nothing', regionId: body.regionId }, ['newContent']));
  }

  @Put('appendChildRegionTags/:id')
  tagChild(
    @CurrentContext() context: CommandContext,
    @Param('id') regionId: Id,
    @Body() body: ChildTagBody,
  ): Answer<'newRegion' | 'updatedRegion' | 'newContent'> {
    const change = { to: 'region', regionId, span: spanChangeOf(body.child) } as const;
    return this.commands.execute(new ChangeTag(context, body, change, ['newRegion', 'updatedRegion', 'newContent']));
  }

  @Put('removeChildRegionTags/:id')
  revert(@CurrentContext() context: CommandContext, @Param('id') regionId: Id, @Body() body: PostOfTagBody): Answer<'updatedRegion' | 'newContent'> {
    return this.commands.execute(new ChangeTag(context, body, { to: 'parent', regionId }, ['updatedRegion', 'newContent']));
  }
}
