import { Injectable } from '@nestjs/common';
import type { ListedProject, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { NotesQueries } from '../notes/notes.queries.js';
import { ReadModels } from '../platform/projections/read-models.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { ProjectAccessQueries, type SeenProject } from './project-access.queries.js';
import { type ListedView, ProjectViews } from './project-views.queries.js';
import { uidOf } from './project.streams.js';
import { type ProjectDocument, PROJECTS } from './projects.documents.js';

@Injectable()
export class ProjectsQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly access: ProjectAccessQueries,
    private readonly views: ProjectViews,
    private readonly notes: NotesQueries,
  ) {}

  /** A project with all its versions, for its page. @throws Refused `project.not-found` */
  async view(projectId: Id, uid: Uid): Promise<ProjectView> {
    return this.viewOf(await this.access.require(projectId, uid));
  }

  /** The project for a command's response; empty, and without a read, if the request prefers a minimal response. */
  async updated({ actor, isMinimal = false }: Pick<CommandContext, 'actor' | 'isMinimal'>, projectId: Id): Promise<{ readonly updatedProject?: ProjectView }> {
    if (isMinimal) return {};
    return { updatedProject: await this.view(projectId, uidOf({ actor })) };
  }

  /** As {@link view}, of a project whose access was checked. */
  async viewOf(seen: SeenProject): Promise<ProjectView> {
    const [view, notes] = await Promise.all([this.viewWithoutNotes(seen), this.notes.notesFor(seen.project.projectId, seen.who)]);
    return { ...view, owner: { ...view.owner, notes } };
  }

  /** The view for one person's room. */
  viewWithoutNotes({ project, who }: SeenProject): Promise<ProjectView> {
    return this.views.whole(project, who);
  }

  /** The view for a project's room, without notes; null if the project is gone. */
  async roomView(projectId: Id, audience: 'members' | 'visitors'): Promise<ProjectView | null> {
    const project = await this.reads.get<ProjectDocument>(PROJECTS, projectId);
    return project === null ? null : this.views.whole(project, audience);
  }

  /** Own and shared projects, newest change first; for the guest the public ones. */
  async list(uid: Uid, isGuest: boolean): Promise<readonly ProjectView[]> {
    const listed = await this.listed(uid, isGuest);
    const listsFor = await this.views.lists(listed.map(({ project }) => project));
    return listed.map(({ project, view }) => ({ ...view, ...listsFor(project) }));
  }

  /** Like {@link list}, with counts instead of ids, so the item lists are not read. */
  async briefList(uid: Uid, isGuest: boolean): Promise<readonly ListedProject[]> {
    return (await this.listed(uid, isGuest)).map(({ project: { commentCount, todoCount, completedTodoCount }, view }) => ({
      ...view,
      commentCount,
      todoCount,
      completedTodoCount,
    }));
  }

  private async listed(uid: Uid, isGuest: boolean): Promise<readonly ListedView[]> {
    const found = isGuest ? await this.publicProjects() : await this.access.projectsOfMember(uid);
    const seen = await this.access.allSeenBy(
      found.map((project) => project.projectId),
      uid,
    );
    const listed = await this.views.listed(found.flatMap((project) => seen.get(project.projectId) ?? []));
    // Found in the order in which others see them: the owner's change of a private note is not in the index.
    return listed.toSorted((one, other) => other.view.dateModified - one.view.dateModified);
  }

  private publicProjects(): Promise<readonly ProjectDocument[]> {
    const where = { field: 'listed', value: 'public' };
    return this.reads.find<ProjectDocument>(PROJECTS, { where, sort: 'descending', limit: LIMITS.publicProjectsForGuest });
  }
}
