import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { RegionsController } from './regions.controller.js';
import { regionHandlers } from './regions.handlers.js';
import { RegionsPushes } from './regions.pushes.js';
import { RegionsQueries } from './regions.queries.js';
import { TaggedRegionsController } from './tagged-regions.controller.js';
import { ChangeTagHandler } from './tagged-regions.handlers.js';

@Module({
  controllers: [RegionsController, TaggedRegionsController],
  providers: [RegionsPushes, ChangeTagHandler, ...regionHandlers],
  exports: [RegionsPushes],
})
export class RegionsModule {}

export const parts: SliceParts = { module: RegionsModule, doors: [RegionsQueries], pushes: [RegionsPushes] };
