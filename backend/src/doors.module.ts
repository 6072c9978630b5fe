import { Global, Module } from '@nestjs/common';
import { CommentsQueries } from './comments/comments.queries.js';
import { PartsQueries } from './projects/parts.queries.js';
import { ProjectAccessQueries } from './projects/project-access.queries.js';
import { ProjectStreams } from './projects/project.streams.js';
import { ErasedFromProjects } from './projects/projects-of-erased.streams.js';
import { ProjectsQueries } from './projects/projects.queries.js';
import { UnfinishedProjects } from './projects/unfinished-projects.queries.js';
import { RegionsQueries } from './regions/regions.queries.js';
import { UsersQueries } from './users/users.queries.js';
import { VersionsQueries } from './versions/versions.queries.js';

const doors = [
  UsersQueries,
  ProjectAccessQueries,
  ProjectsQueries,
  UnfinishedProjects,
  VersionsQueries,
  RegionsQueries,
  CommentsQueries,
  PartsQueries,
  ProjectStreams,
  ErasedFromProjects,
];

/** What slices show each other: their queries, and the one way to write on a project's stream. */
@Global()
@Module({ providers: doors, exports: doors })
export class DoorsModule {}
