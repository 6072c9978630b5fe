import { Injectable } from '@nestjs/common';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { CommentsQueries } from '../comments/comments.queries.js';
import { RegionsQueries } from '../regions/regions.queries.js';
import { TodosQueries } from '../todos/todos.queries.js';

/** The regions, todos and comments of a project. */
@Injectable()
export class ProjectItemsQueries {
  constructor(
    private readonly regions: RegionsQueries,
    private readonly comments: CommentsQueries,
    private readonly todos: TodosQueries,
  ) {}

  /** The caller has checked that the user may see the project. */
  async of(project: ProjectView, uid: Uid): Promise<Pick<ProjectPageAnswer['data'], 'regions' | 'todos' | 'comments'>> {
    const [regions, todos, comments] = await Promise.all([
      this.regions.views(project.regionIds),
      this.todos.ofProject(project),
      this.comments.ofProject(uid, { commentIds: project.commentIds, ownerUid: project.owner.uid }),
    ]);
    return { regions, todos, comments };
  }
}
