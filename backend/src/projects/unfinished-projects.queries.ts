import { Injectable } from '@nestjs/common';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { type ProjectDocument, PROJECTS } from './projects.documents.js';

const PAGE = 500;

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
    let after: { readonly id: string; readonly sort: Instant } | undefined;
    for (;;) {
      const page = await this.reads.find<ProjectDocument>(PROJECTS, { where, sort: 'ascending', limit: PAGE, ...(after === undefined ? {} : { after }) });
      for (const { projectId, dateAdded } of page) yield { projectId, createdAt: dateAdded };
      const last = page.at(-1);
      if (last === undefined) return;
      after = { id: last.projectId, sort: last.dateModified };
    }
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
