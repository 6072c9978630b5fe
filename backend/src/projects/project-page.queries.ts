import { Injectable } from '@nestjs/common';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { CommentsQueries } from '../comments/comments.queries.js';
import { RegionsQueries } from '../regions/regions.queries.js';
import { ProjectAccessQueries } from './project-access.queries.js';
import { ProjectsQueries } from './projects.queries.js';

/** Everything a project page shows, in one response, for any user who may see it. */
@Injectable()
export class ProjectPageQueries {
  constructor(
    private readonly access: ProjectAccessQueries,
    private readonly projects: ProjectsQueries,
    private readonly regions: RegionsQueries,
    private readonly comments: CommentsQueries,
  ) {}

  async page(projectId: Id, uid: Uid): Promise<ProjectPageAnswer> {
    const seen = await this.access.require(projectId, uid);
    return this.access.withParts(seen, async () => {
      const project = await this.projects.viewOf(seen);
      const [regions, comments] = await Promise.all([
        this.regions.views(project.regionIds),
        this.comments.ofProject(uid, { commentIds: project.commentIds, ownerUid: seen.project.ownerUid }),
      ]);
      return { data: { project, versions: project.versions, regions, todos: [], comments } };
    });
  }
}
