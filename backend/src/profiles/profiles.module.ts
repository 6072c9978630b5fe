import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { UsersModule } from '../users/users.module.js';
import { ConnectionsQueries } from './connections.queries.js';
import { ProfilesController } from './profiles.controller.js';
import { ChangeConnectionHandler } from './profiles.handlers.js';
import { ProfilesPushes } from './profiles.pushes.js';
import { ProfilesQueries } from './profiles.queries.js';

@Module({
  imports: [UsersModule],
  controllers: [ProfilesController],
  providers: [ChangeConnectionHandler, ProfilesPushes],
  exports: [ProfilesPushes],
})
export class ProfilesModule {}

export const parts: SliceParts = {
  module: ProfilesModule,
  doors: [ConnectionsQueries, ProfilesQueries],
  pushes: [ProfilesPushes],
  userStreams: [ProfilesPushes],
};
