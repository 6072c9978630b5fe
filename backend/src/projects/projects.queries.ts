import { Injectable } from '@nestjs/common';
import { maySeeMembers, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { NotesView } from '@roughmix/contracts/notes/note.view.js';
import type { ListedProject, PermissionLevel, ProjectView, UserPermissions } from '@roughmix/contracts/projects/project.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { ReadModels } from '../platform/projections/read-models.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { type People, UsersQueries } from '../users/users.queries.js';
import { VersionsQueries } from '../versions/versions.queries.js';
import { ProjectAccessQueries, type SeenProject } from './project-access.queries.js';
import { uidOf } from './project.streams.js';
import { listsOf, piecesUpTo, PROJECT_LISTS, type ProjectDocument, type ProjectLists, type ProjectListsPiece, PROJECTS } from './projects.documents.js';

/** The audience of a project view: one user, a room of members, or a room of visitors. */
export type Audience = Viewer | 'members' | 'visitors';

const LONGEST_LIST = 1_000;

export const permissionLevel = ({ role, access, may }: Viewer): PermissionLevel => ({ role, access, ...may });

function userPermissions(project: ProjectDocument): UserPermissions {
  const members = Object.entries(project.members);
  return {
    read: members.filter(([, grant]) => !grant.write).map(([uid, grant]) => `${uid}-${grant.access}`),
    write: members.filter(([, grant]) => grant.write).map(([uid]) => `${uid}-3`),
  };
}

const EMPTY = sha256('');

const notesFor = (who: Viewer): NotesView =>
  who.may.owner ? { public: '', private: '', hash: { public: EMPTY, private: EMPTY } } : { public: '', hash: { public: EMPTY } };

/** A project without the ids of its parts. */
function briefView(
  project: ProjectDocument,
  audience: Audience,
  around: { readonly people: People; readonly versions: readonly VersionView[] },
): Omit<ProjectView, keyof ProjectLists> {
  const current = around.versions.at(-1) ?? null;
  const owner = around.people(project.ownerUid);
  const who = typeof audience === 'string' ? null : audience;
  const showsMembers = who === null ? audience === 'members' : maySeeMembers(who);
  const { projectName, description, visibility, completed, versionIds, highestVersion, dateAdded, dateModified, position } = project;
  return {
    _id: project.projectId,
    projectName,
    description,
    owner: { ...owner, name: fullName(owner) },
    visibility,
    completed,
    ...(showsMembers ? { userPermissions: userPermissions(project), addedUsers: Object.keys(project.members).map(around.people) } : {}),
    versionIds,
    versions: around.versions,
    currentVersion: current,
    versionUrl: current?.versionUrl ?? null,
    highestVersion,
    todoIds: [],
    completedTodos: [],
    sharedGroups: [],
    ...(who === null ? {} : { permissionLevel: permissionLevel(who) }),
    initialLogin: false,
    firstVersionId: project.started ? null : project.firstVersionId,
    dateAdded,
    dateModified,
    position,
  };
}

const piecesOf = ({ projectId, revision }: ProjectDocument): readonly Id[] => piecesUpTo(projectId, revision);

@Injectable()
export class ProjectsQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly access: ProjectAccessQueries,
    private readonly users: UsersQueries,
    private readonly versions: VersionsQueries,
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
    const view = await this.viewWithoutNotes(seen);
    return { ...view, owner: { ...view.owner, notes: notesFor(seen.who) } };
  }

  /** The view for one person's room. */
  viewWithoutNotes({ project, who }: SeenProject): Promise<ProjectView> {
    return this.render(project, who);
  }

  /** The view for a project's room, without notes; null if the project is gone. */
  async roomView(projectId: Id, audience: 'members' | 'visitors'): Promise<ProjectView | null> {
    const project = await this.reads.get<ProjectDocument>(PROJECTS, projectId);
    return project === null ? null : this.render(project, audience);
  }

  /** Own and shared projects, newest change first; for the guest the public ones. */
  async list(uid: Uid, isGuest: boolean): Promise<readonly ProjectView[]> {
    const listed = await this.listed(uid, isGuest);
    const listsFor = await this.lists(listed.map(({ project }) => project));
    return listed.map(({ project, view }) => ({ ...view, ...listsFor(project) }));
  }

  /** Like {@link list}, with counts instead of ids, so the item lists are not read. */
  async briefList(uid: Uid, isGuest: boolean): Promise<readonly ListedProject[]> {
    return (await this.listed(uid, isGuest)).map(({ project: { commentCount }, view }) => ({ ...view, commentCount }));
  }

  private async listed(
    uid: Uid,
    isGuest: boolean,
  ): Promise<readonly { readonly project: ProjectDocument; readonly view: Omit<ProjectView, keyof ProjectLists> }[]> {
    const where = isGuest ? { field: 'listed', value: 'public' } : { field: 'memberUids', value: uid };
    const limit = isGuest ? LIMITS.publicProjectsForGuest : LONGEST_LIST;
    const found = await this.reads.find<ProjectDocument>(PROJECTS, { where, sort: 'descending', limit });
    const seen = await this.access.allSeenBy(
      found.map((project) => project.projectId),
      uid,
    );
    const visible = found.flatMap((project) => seen.get(project.projectId) ?? []);
    const versions = await this.versions.views(visible.flatMap(({ project }) => project.versionIds.at(-1) ?? []));
    const current = new Map(versions.map((version) => [version.projectId, version]));
    const people = await this.users.people(visible.flatMap(({ project }) => project.memberUids));
    return visible.map(({ project, who }) => {
      const version = current.get(project.projectId);
      return { project, view: briefView(project, who, { people, versions: version === undefined ? [] : [version] }) };
    });
  }

  private async render(project: ProjectDocument, audience: Audience): Promise<ProjectView> {
    const [people, listsFor, versions] = await Promise.all([
      this.users.people(project.memberUids),
      this.lists([project]),
      this.versions.views(project.versionIds),
    ]);
    return { ...briefView(project, audience, { people, versions }), ...listsFor(project) };
  }

  /** The items of each project, in one read. */
  private async lists(projects: readonly ProjectDocument[]): Promise<(project: ProjectDocument) => ProjectLists> {
    const pieces = await this.reads.getManyById<ProjectListsPiece>(PROJECT_LISTS, projects.flatMap(piecesOf));
    return (project) => listsOf(piecesOf(project).flatMap((id) => pieces.get(id) ?? []));
  }
}
