import { Injectable } from '@nestjs/common';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { type ProjectDocument, PROJECTS } from './projects.documents.js';

const MOST = 1_000;

/** Projects that were begun and have no version yet. */
@Injectable()
export class UnfinishedProjects {
  constructor(private readonly reads: ReadModels) {}

  /** Those begun before an instant, oldest first. */
  async before(instant: Instant): Promise<readonly Id[]> {
    const where = { field: 'listed', value: 'unfinished' };
    const found = await this.reads.find<ProjectDocument>(PROJECTS, { where, sort: 'ascending', limit: MOST });
    return found.filter((project) => project.dateAdded < instant).map((project) => project.projectId);
  }
}
