import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { CollectionStreams } from './collection.streams.js';
import { CollectionsController } from './collections.controller.js';
import { collectionHandlers } from './collections.handlers.js';
import { CollectionsPushes } from './collections.pushes.js';
import { CollectionsQueries } from './collections.queries.js';

@Module({
  controllers: [CollectionsController],
  providers: [CollectionStreams, CollectionsPushes, ...collectionHandlers],
  exports: [CollectionsPushes],
})
export class CollectionsModule {}

export const parts: SliceParts = {
  module: CollectionsModule,
  doors: [CollectionsQueries],
  pushes: [CollectionsPushes],
  userStreams: [CollectionsPushes],
};
