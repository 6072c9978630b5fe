import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { EditRegionBody, NewRegionBody } from '@roughmix/contracts/regions/region.api.js';
import type { RegionAddedAnswer, RegionAnswer, RegionsAnswer } from '@roughmix/contracts/regions/region.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { RemovalBody } from '@roughmix/contracts/shared/removal.api.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { idsOf } from '../projects/project-access.queries.js';
import { AddRegion, EditRegion, RemoveRegion } from './regions.handlers.js';
import { RegionsQueries } from './regions.queries.js';

@Controller('api/regions')
export class RegionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly regions: RegionsQueries,
  ) {}

  @Get(':ids')
  async byIds(@CurrentCaller() caller: Caller, @Param('ids') ids: string): Promise<RegionsAnswer> {
    return { regions: await this.regions.byIds(idsOf(ids, LIMITS.idsInOneCall), caller.uid) };
  }

  @Post()
  add(@CurrentContext() context: CommandContext, @Body() body: NewRegionBody): Promise<CommandAnswer<RegionAddedAnswer>> {
    return this.commands.execute(new AddRegion(context, body));
  }

  @Put(':id')
  edit(@CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() body: EditRegionBody): Promise<CommandAnswer<RegionAnswer>> {
    return this.commands.execute(new EditRegion(context, id, body));
  }

  @Post(':id')
  @HttpCode(200)
  remove(@CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() body: RemovalBody): Promise<CommandAnswer<UpdatedProjectAnswer>> {
    return this.commands.execute(new RemoveRegion(context, id, body.projectId));
  }
}
