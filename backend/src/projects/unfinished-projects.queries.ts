import { Injectable } from '@nestjs/common';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { type ProjectDocument, PROJECTS } from './projects.documents.js';

/** A project without a version, with its creation time. */
export interface UnfinishedProject {
  readonly projectId: Id;
  readonly createdAt: Instant;
}

/** Projects that were created and have no version yet. */
@Injectable()
export class UnfinishedProjects {
  constructor(private readonly reads: ReadModels) {}

  /** All of them, the least recently changed first. */
  async *all(): AsyncGenerator<UnfinishedProject> {
    const where = { field: 'listed', value: 'unfinished' };
    const unfinished = this.reads.findAll<ProjectDocument>(PROJECTS, where, ({ projectId, dateModified }) => ({ id: projectId, sort: dateModified }));
    for await (const { projectId, dateAdded } of unfinished) yield { projectId, createdAt: dateAdded };
  }

  /** Those created before an instant. */
  async before(instant: Instant): Promise<readonly Id[]> {
    const found: Id[] = [];
    for await (const { projectId, createdAt } of this.all()) {
      if (createdAt < instant) found.push(projectId);
    }
    return found;
  }
}
