import type { Uid } from '../shared/ids.js';

/** What an invited person may do beyond viewing: bit 1 comment, bit 2 download. */
export type AccessNumber = 0 | 1 | 2 | 3;
export type Role = 'Owner' | 'Collaborator' | 'Viewer' | 'Visitor';
export type Visibility = 'private' | 'public';

/** What a member was given. Write overrides the number to 3. */
export interface Grant {
  readonly access: AccessNumber;
  readonly write: boolean;
}

/** Rights in one project. */
export interface Rights {
  readonly comment: boolean;
  readonly download: boolean;
  readonly write: boolean;
  readonly owner: boolean;
}

/** A user viewing one project, with their rights in it. */
export interface Viewer {
  readonly uid: Uid;
  readonly role: Role;
  /** null for a visitor and the owner. */
  readonly access: AccessNumber | null;
  readonly may: Rights;
}

/** The fields of a project that permissions depend on. */
export interface ProjectForAccess {
  readonly ownerUid: Uid;
  readonly visibility: Visibility;
  readonly members: Readonly<Record<Uid, Grant>>;
  /** Until its first version is there, only the owner sees the project. */
  readonly started: boolean;
  readonly removed: boolean;
}

const NOTHING: Rights = { comment: false, download: false, write: false, owner: false };

/** The rights that a grant carries. */
export function rightsOf(grant: Grant): Rights {
  const access = grant.write ? 3 : grant.access;
  return { comment: (access & 1) !== 0, download: (access & 2) !== 0, write: grant.write, owner: false };
}

/** The access number of two switches. */
export const accessNumber = (permissions: { readonly comment: boolean; readonly download: boolean }): AccessNumber =>
  permissions.comment ? (permissions.download ? 3 : 1) : permissions.download ? 2 : 0;

/** A user's role and rights in a project; null when it does not exist for them. `guest` is a visitor everywhere and never a member. */
export function viewerOf(project: ProjectForAccess, uid: Uid): Viewer | null {
  if (project.removed) return null;
  if (project.ownerUid === uid) return { uid, role: 'Owner', access: null, may: { comment: true, download: true, write: true, owner: true } };
  if (!project.started) return null;
  const grant = Object.hasOwn(project.members, uid) ? project.members[uid] : undefined;
  if (grant !== undefined) return { uid, role: grant.write ? 'Collaborator' : 'Viewer', access: grant.write ? 3 : grant.access, may: rightsOf(grant) };
  return project.visibility === 'public' ? { uid, role: 'Visitor', access: null, may: NOTHING } : null;
}

/** Members are the owner and everyone invited. */
export const isMember = (who: Viewer): boolean => who.role !== 'Visitor';
/** Name, description, visibility, completed. */
export const mayEditProject = (who: Viewer): boolean => who.may.owner;
export const mayInvite = (who: Viewer): boolean => who.may.owner;
export const mayEditPermissions = (who: Viewer): boolean => who.may.owner;
export const mayRemoveProject = (who: Viewer): boolean => who.may.owner;
/** Every member except the owner may leave. */
export const mayLeave = (who: Viewer): boolean => isMember(who) && !who.may.owner;
/**
 * Who becomes the owner of a project whose owner's account was erased, if they want to: a collaborator, or a viewer while there are no collaborators.
 * Whether the account was erased is checked elsewhere.
 */
export const mayTakeOver = (who: Pick<Viewer, 'role'>, hasCollaborators: boolean): boolean =>
  who.role === 'Collaborator' || (who.role === 'Viewer' && !hasCollaborators);
export const mayDownload = (who: Viewer): boolean => who.may.download;
export const mayAddVersion = (who: Viewer): boolean => who.may.write;
/** Who sees the members' names, their permissions and who is online. */
export const maySeeMembers = (who: Viewer): boolean => isMember(who);
