import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { AbandonUnfinishedProject } from './abandon-unfinished-project.timer.js';
import { Invitations } from './invitations.js';
import { PartsQueries } from './parts.queries.js';
import { PostTextQueries } from './post-text.queries.js';
import { ProjectAccessQueries } from './project-access.queries.js';
import { ProjectItemsQueries } from './project-items.queries.js';
import { ProjectOpenings } from './project-openings.queries.js';
import { ProjectPageQueries } from './project-page.queries.js';
import { ProjectViews } from './project-views.queries.js';
import { ProjectStreams } from './project.streams.js';
import { ProjectErasure } from './project-erasure.streams.js';
import { ProjectsController } from './projects.controller.js';
import { projectHandlers } from './projects.handlers.js';
import { ProjectsPushes } from './projects.pushes.js';
import { ProjectsQueries } from './projects.queries.js';
import { ProjectTopics } from './projects.topics.js';
import { ProjectUserStreams } from './project-user-streams.queries.js';
import { UnfinishedProjects } from './unfinished-projects.queries.js';

import { ProjectsChores } from './projects.chores.js';
import { ScheduleAbandonmentWhenCreated } from './schedule-abandonment-when-created.reactor.js';

const live = [ProjectsPushes, ProjectTopics, ProjectUserStreams];
const background = [ScheduleAbandonmentWhenCreated, AbandonUnfinishedProject, ProjectsChores];

@Module({
  controllers: [ProjectsController],
  providers: [Invitations, ...live, ...background, ...projectHandlers],
  exports: [...live, ...background],
})
export class ProjectsModule {}

export const parts: SliceParts = {
  module: ProjectsModule,
  doors: [
    ProjectAccessQueries,
    ProjectViews,
    ProjectsQueries,
    ProjectItemsQueries,
    ProjectPageQueries,
    ProjectOpenings,
    UnfinishedProjects,
    PartsQueries,
    PostTextQueries,
    ProjectStreams,
    ProjectErasure,
  ],
  pushes: [ProjectsPushes],
  topics: [ProjectTopics],
  userStreams: [ProjectUserStreams],
  reactors: [ScheduleAbandonmentWhenCreated],
  timers: [AbandonUnfinishedProject],
  chores: [ProjectsChores],
};
