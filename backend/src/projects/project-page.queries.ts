import { Injectable } from '@nestjs/common';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { ProjectAccessQueries } from './project-access.queries.js';
import { ProjectItemsQueries } from './project-items.queries.js';
import { ProjectsQueries } from './projects.queries.js';

/** Everything a project page shows, in one response, for any user who may see it. */
@Injectable()
export class ProjectPageQueries {
  constructor(
    private readonly access: ProjectAccessQueries,
    private readonly projects: ProjectsQueries,
    private readonly items: ProjectItemsQueries,
  ) {}

  async page(projectId: Id, uid: Uid): Promise<ProjectPageAnswer> {
    const seen = await this.access.require(projectId, uid);
    return this.access.withParts(seen, async () => {
      const project = await this.projects.viewOf(seen);
      return { data: { project, versions: project.versions, ...(await this.items.of(project, uid)) } };
    });
  }
}
