import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { Invitations } from './invitations.js';
import { PartsQueries } from './parts.queries.js';
import { ProjectAccessQueries } from './project-access.queries.js';
import { ProjectPageQueries } from './project-page.queries.js';
import { ProjectStreams } from './project.streams.js';
import { ErasedFromProjects } from './projects-of-erased.streams.js';
import { ProjectsController } from './projects.controller.js';
import { projectHandlers } from './projects.handlers.js';
import { ProjectsPushes } from './projects.pushes.js';
import { ProjectsQueries } from './projects.queries.js';
import { ProjectTopics } from './projects.topics.js';
import { ProjectUserStreams } from './project-user-streams.queries.js';
import { UnfinishedProjects } from './unfinished-projects.queries.js';

const live = [ProjectsPushes, ProjectTopics, ProjectUserStreams];

@Module({ controllers: [ProjectsController], providers: [Invitations, ProjectPageQueries, ...live, ...projectHandlers], exports: live })
export class ProjectsModule {}

export const parts: SliceParts = {
  module: ProjectsModule,
  doors: [ProjectAccessQueries, ProjectsQueries, UnfinishedProjects, PartsQueries, ProjectStreams, ErasedFromProjects],
  pushes: [ProjectsPushes],
  topics: [ProjectTopics],
  userStreams: [ProjectUserStreams],
};
