import { Module } from '@nestjs/common';
import type { SliceParts } from '../../platform/slice.js';
import { RehearsalStreams } from './rehearsal.streams.js';
import { RehearsalsController } from './rehearsals.controller.js';
import { CommandRehearsalHandler } from './rehearsals.handlers.js';
import { RehearsalsPushes } from './rehearsals.pushes.js';
import { RehearsalsQueries } from './rehearsals.queries.js';
import { RehearsalTopics } from './rehearsals.topics.js';
import { SetStartTimerWhenScheduled } from './set-start-timer-when-scheduled.reactor.js';
import { StartRehearsal } from './start-rehearsal.timer.js';

const live = [RehearsalsPushes, RehearsalTopics];
const background = [SetStartTimerWhenScheduled, StartRehearsal];

@Module({
  controllers: [RehearsalsController],
  providers: [CommandRehearsalHandler, ...live, ...background],
  exports: [...live, ...background],
})
export class RehearsalsModule {}

export const parts: SliceParts = {
  module: RehearsalsModule,
  doors: [RehearsalsQueries, RehearsalStreams],
  pushes: [RehearsalsPushes],
  topics: [RehearsalTopics],
  userStreams: [RehearsalTopics],
  reactors: [SetStartTimerWhenScheduled],
  timers: [StartRehearsal],
};
