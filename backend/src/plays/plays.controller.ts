import { Controller, Get, Param } from '@nestjs/common';
import type { PlaysView } from '@roughmix/contracts/plays/play.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { PlaysQueries } from './plays.queries.js';

@Controller('api/media/:versionId/plays')
export class PlaysController {
  constructor(private readonly plays: PlaysQueries) {}

  @Get()
  ofVersion(@CurrentCaller() caller: Caller, @Param('versionId') versionId: Id): Promise<PlaysView> {
    return this.plays.ofVersion(versionId, caller.uid);
  }
}
