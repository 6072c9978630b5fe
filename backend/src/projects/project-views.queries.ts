import { Injectable } from '@nestjs/common';
import { maySeeMembers, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { PermissionLevel, ProjectView, UserPermissions } from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { type People, UsersQueries } from '../users/users.queries.js';
import { VersionsQueries } from '../versions/versions.queries.js';
import type { SeenProject } from './project-access.queries.js';
import { lastChange, listsOf, piecesUpTo, PROJECT_LISTS, type ProjectDocument, type ProjectLists, type ProjectListsPiece } from './projects.documents.js';

/** The audience of a project view: one user, a room of members, or a room of visitors. */
export type Audience = Viewer | 'members' | 'visitors';

export const permissionLevel = ({ role, access, may }: Viewer): PermissionLevel => ({ role, access, ...may });

function userPermissions(project: ProjectDocument): UserPermissions {
  const members = Object.entries(project.members);
  return {
    read: members.filter(([, grant]) => !grant.write).map(([uid, grant]) => `${uid}-${grant.access}`),
    write: members.filter(([, grant]) => grant.write).map(([uid]) => `${uid}-3`),
  };
}

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
  const { projectName, description, visibility, completed, versionIds, highestVersion, dateAdded } = project;
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
    sharedGroups: [],
    ...(who === null ? {} : { permissionLevel: permissionLevel(who) }),
    initialLogin: project.initialLogin,
    firstVersionId: project.started ? null : project.firstVersionId,
    dateAdded,
    ...lastChange(project, who?.uid ?? null),
  };
}

const piecesOf = ({ projectId, revision }: ProjectDocument): readonly Id[] => piecesUpTo(projectId, revision);

/** A listed project, without the ids of its parts. */
export interface ListedView {
  readonly project: ProjectDocument;
  readonly view: Omit<ProjectView, keyof ProjectLists>;
}

/** Builds views of projects from their documents, people and versions, without notes. */
@Injectable()
export class ProjectViews {
  constructor(
    private readonly reads: ReadModels,
    private readonly users: UsersQueries,
    private readonly versions: VersionsQueries,
  ) {}

  /** A project with all its versions and the ids of its parts. */
  async whole(project: ProjectDocument, audience: Audience): Promise<ProjectView> {
    const [people, listsFor, versions] = await Promise.all([
      this.users.people(project.memberUids),
      this.lists([project]),
      this.versions.views(project.versionIds),
    ]);
    return { ...briefView(project, audience, { people, versions }), ...listsFor(project) };
  }

  /** The items of each project, in one read. */
  async lists(projects: readonly ProjectDocument[]): Promise<(project: ProjectDocument) => ProjectLists> {
    const pieces = await this.reads.getManyById<ProjectListsPiece>(PROJECT_LISTS, projects.flatMap(piecesOf));
    return (project) => listsOf(piecesOf(project).flatMap((id) => pieces.get(id) ?? []));
  }

  /** Projects with their current versions only. */
  async listed(seen: readonly SeenProject[]): Promise<readonly ListedView[]> {
    const versions = await this.versions.views(seen.flatMap(({ project }) => project.versionIds.at(-1) ?? []));
    const current = new Map(versions.map((version) => [version.projectId, version]));
    const people = await this.users.people(seen.flatMap(({ project }) => project.memberUids));
    return seen.map(({ project, who }) => {
      const version = current.get(project.projectId);
      return { project, view: briefView(project, who, { people, versions: version === undefined ? [] : [version] }) };
    });
  }
}
