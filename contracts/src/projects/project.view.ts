import type { NotesView } from '../notes/note.view.js';
import type { Id, Instant, Position, Uid } from '../shared/ids.js';
import type { VersionNumber } from '../shared/versions.js';
import type { PersonView } from '../users/user.view.js';
import type { VersionView } from '../versions/version.view.js';
import type { AccessNumber, Role, Visibility } from './project.access.js';

/** The caller's rights. Sent in HTTP answers and `user:` messages, never to a project's room. */
export interface PermissionLevel {
  readonly role: Role;
  readonly access: AccessNumber | null;
  readonly comment: boolean;
  readonly download: boolean;
  readonly write: boolean;
  readonly owner: boolean;
}

/** The owner, and the notes kept under their name. Lists of projects and most pushes omit the notes. */
export interface OwnerView extends PersonView {
  readonly name: string;
  readonly notes?: NotesView;
}

/** Members: viewers as '{uid}-{0..3}' in `read`, collaborators as '{uid}-3' in `write`. */
export interface UserPermissions {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** A project as the list and the project page show it. Fields about members are absent for visitors. `position` is that of its newest event. */
export interface ProjectView {
  readonly _id: Id;
  readonly projectName: string;
  readonly description: string;
  readonly owner: OwnerView;
  readonly visibility: Visibility;
  readonly completed: boolean;
  readonly userPermissions?: UserPermissions;
  readonly addedUsers?: readonly PersonView[];
  /** Ordered; the last is current. */
  readonly versionIds: readonly Id[];
  /** In a list only the current one, on the page all of them in that order. */
  readonly versions: readonly VersionView[];
  readonly currentVersion: VersionView | null;
  readonly versionUrl: string | null;
  /** The highest number ever given in the project, even to a removed version; null before the first. The next number follows it. */
  readonly highestVersion: VersionNumber | null;
  readonly regionIds: readonly Id[];
  readonly todoIds: readonly Id[];
  readonly completedTodos: readonly Id[];
  readonly commentIds: readonly Id[];
  readonly sharedGroups: readonly Id[];
  readonly permissionLevel?: PermissionLevel;
  readonly initialLogin: boolean;
  /** The id that its first version will have, while there is none: the page offers to continue or to discard. */
  readonly firstVersionId: Id | null;
  readonly dateAdded: Instant;
  /** The last change by a person. */
  readonly dateModified: Instant;
  readonly position: Position;
}

/** A project in a list that was asked for with `Prefer: return=minimal`: counts instead of the ids of everything in it. */
export interface ListedProject extends Omit<ProjectView, 'regionIds' | 'commentIds' | 'todoIds' | 'completedTodos'> {
  readonly commentCount: number;
  /** Active todos, without replies. */
  readonly todoCount: number;
  readonly completedTodoCount: number;
}

export interface ListedProjectsAnswer {
  readonly projects: readonly ListedProject[];
}
export interface ProjectsAnswer {
  readonly projects: readonly ProjectView[];
}
export interface ProjectAnswer {
  readonly project: ProjectView;
}
export interface NewProjectAnswer {
  readonly newProject: ProjectView;
  readonly versionId: Id;
}
export interface UpdatedProjectAnswer {
  readonly updatedProject: ProjectView;
}
export interface ProjectRemovedAnswer {
  readonly removed: Id;
}

/** Splits '{uid}-{level}' at its last dash; a bare uid means 3. null when the level is not an access number. */
export function parseInvited(entry: string): { readonly uid: Uid; readonly level: AccessNumber } | null {
  const dash = entry.lastIndexOf('-');
  if (dash === -1) return { uid: entry, level: 3 };
  const level = entry.slice(dash + 1);
  if (!/^[0-3]$/.test(level)) return null;
  return { uid: entry.slice(0, dash), level: Number(level) as AccessNumber };
}
