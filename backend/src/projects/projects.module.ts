import { Module } from '@nestjs/common';
import { Invitations } from './invitations.js';
import { ProjectPageQueries } from './project-page.queries.js';
import { ProjectsController } from './projects.controller.js';
import { projectHandlers } from './projects.handlers.js';
import { ProjectsPushes } from './projects.pushes.js';

@Module({ controllers: [ProjectsController], providers: [Invitations, ProjectPageQueries, ProjectsPushes, ...projectHandlers], exports: [ProjectsPushes] })
export class ProjectsModule {}
