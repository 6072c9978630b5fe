import { Injectable } from '@nestjs/common';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { CommentsQueries } from '../comments/comments.queries.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { RegionsQueries } from '../regions/regions.queries.js';
import { ProjectAccessQueries } from './project-access.queries.js';
import { ProjectsQueries } from './projects.queries.js';

/** Longer than a page of the log takes to be saved. */
const PARTS_MS = 500;

/** Everything that a project's page shows, in one answer, for whoever may see it. */
@Injectable()
export class ProjectPageQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly access: ProjectAccessQueries,
    private readonly projects: ProjectsQueries,
    private readonly regions: RegionsQueries,
    private readonly comments: CommentsQueries,
  ) {}

  /**
   * The project's parts come from read models that have passed the project's own position, since a page goes on hearing from there. Those of a projector that
   * stands still are shown as they are.
   */
  async page(projectId: Id, uid: Uid): Promise<ProjectPageAnswer> {
    const seen = await this.access.require(projectId, uid);
    return this.reads.asOfWithin(seen.project.position, PARTS_MS, async () => {
      const project = await this.projects.viewOf(seen);
      const [regions, comments] = await Promise.all([
        this.regions.views(project.regionIds),
        this.comments.ofProject(uid, { commentIds: project.commentIds, ownerUid: seen.project.ownerUid }),
      ]);
      return { data: { project, versions: project.versions, regions, todos: [], comments } };
    });
  }
}
