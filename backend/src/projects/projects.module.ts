import { Module } from '@nestjs/common';
import { AbandonUnfinishedProject } from './abandon-unfinished-project.timer.js';
import { Invitations } from './invitations.js';
import { ProjectPageQueries } from './project-page.queries.js';
import { ProjectsController } from './projects.controller.js';
import { projectHandlers } from './projects.handlers.js';
import { ProjectsPushes } from './projects.pushes.js';
import { ScheduleAbandonmentWhenCreated } from './schedule-abandonment-when-created.reactor.js';

@Module({
  controllers: [ProjectsController],
  providers: [Invitations, ProjectPageQueries, ProjectsPushes, ScheduleAbandonmentWhenCreated, AbandonUnfinishedProject, ...projectHandlers],
  exports: [ProjectsPushes, ScheduleAbandonmentWhenCreated, AbandonUnfinishedProject],
})
export class ProjectsModule {}
