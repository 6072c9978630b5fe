import { type Grant, mayEditPermissions, mayInvite, mayLeave, mayTakeOver, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { Invited, ProjectEvents, ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { Folds, Rules } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';
import { emptyNotes } from '../notes/note.state.js';
import type { ProjectState } from './project.state.js';

/** A change to a member: new rights, or removal. */
export interface MemberChange {
  readonly uid: Uid;
  readonly to: Grant | 'removed';
}

export interface MemberCommands {
  /** `blockers`: those of the invited users who block the actor. */
  InviteUsers: { readonly invited: readonly Invited[]; readonly blockers?: readonly Uid[]; readonly message: string };
  EditPermissions: { readonly changes: readonly MemberChange[] };
  LeaveProject: object;
  /** `erasedUid`: the owner, if their account was erased. */
  TakeOverProject: { readonly erasedUid: Uid | null };
}

/** Sent by the system only. */
export interface ErasureCommands {
  /** Removes an erased user from a project. A project of theirs without other members is removed too. */
  RemoveErasedUser: { readonly uid: Uid };
}

type MemberEvents = Pick<ProjectEvents, 'ProjectUsersInvited' | 'ProjectPermissionsChanged' | 'ProjectTakenOver' | 'ProjectUsersRemoved' | 'ProjectLeft'>;

/** The invited users who are not members yet, each once. */
export function newMembers(project: Pick<ProjectState, 'ownerUid' | 'members'>, invited: readonly Invited[]): readonly Invited[] {
  const once = new Map(invited.map((person) => [person.uid, person]));
  return [...once.values()].filter(({ uid }) => uid !== project.ownerUid && project.members[uid] === undefined);
}

/** The invited users who do not block the inviter. */
export const withoutBlockers = (invited: readonly Invited[], blockers: readonly Uid[]): readonly Invited[] =>
  invited.filter(({ uid }) => !blockers.includes(uid));

const sameGrant = (one: Grant, other: Grant): boolean => one.access === other.access && one.write === other.write;

export const memberRules: Rules<MemberCommands, ProjectState, Viewer, ProjectStreamEvent> = {
  InviteUsers({ invited, blockers = [], message }, project, who) {
    if (!mayInvite(who)) return refuse('project.not-allowed');
    const fresh = newMembers(project, invited);
    if (fresh.length === 0) return refuse('invite.nobody');
    if (!project.started) return refuse('version.not-found');
    const added = withoutBlockers(fresh, blockers);
    return added.length === 0 ? [] : [{ type: 'ProjectUsersInvited', data: { invited: added, message } }];
  },

  EditPermissions({ changes }, project, who) {
    if (!mayEditPermissions(who)) return refuse('project.not-allowed');
    const events: ProjectStreamEvent[] = [];
    const removed: Uid[] = [];
    for (const { uid, to } of new Map(changes.map((change) => [change.uid, change])).values()) {
      const from = project.members[uid];
      if (from === undefined) return refuse('permissions.not-a-member');
      if (to === 'removed') removed.push(uid);
      else if (!sameGrant(from, to)) events.push({ type: 'ProjectPermissionsChanged', data: { uid, from, to } });
    }
    if (removed.length > 0) events.push({ type: 'ProjectUsersRemoved', data: { uids: removed } });
    return events;
  },

  LeaveProject(_data, _project, who) {
    if (who.may.owner) return refuse('project.owner-stays');
    return mayLeave(who) ? [{ type: 'ProjectLeft', data: { uid: who.uid } }] : refuse('project.not-allowed');
  },

  TakeOverProject({ erasedUid }, project, who) {
    const hasCollaborators = Object.values(project.members).some(({ write }) => write);
    if (!who.may.owner && !mayTakeOver(who, hasCollaborators)) return refuse('project.not-allowed');
    if (erasedUid !== project.ownerUid) return refuse('project.has-owner');
    return [{ type: 'ProjectTakenOver', data: { from: project.ownerUid, to: who.uid } }];
  },
};

const isInvited = (project: ProjectState, uid: Uid): boolean => project.pending.invited.some((person) => person.uid === uid);

export const erasureRules: Rules<ErasureCommands, ProjectState, null, ProjectStreamEvent> = {
  RemoveErasedUser({ uid }, project) {
    if (!project.exists || project.removed) return [];
    if (project.ownerUid === uid) return Object.keys(project.members).length > 0 ? [] : [{ type: 'ProjectRemoved', data: { abandoned: false } }];
    const isIn = project.members[uid] !== undefined || isInvited(project, uid);
    return isIn ? [{ type: 'ProjectUsersRemoved', data: { uids: [uid] } }] : [];
  },
};

export const memberFolds: Folds<MemberEvents, ProjectState> = {
  ProjectUsersInvited(project, { data }) {
    for (const { uid, access, write } of data.invited) project.members[uid] = { access, write };
    return project;
  },
  ProjectPermissionsChanged(project, { data }) {
    project.members[data.uid] = data.to;
    return project;
  },
  ProjectTakenOver(project, { data }) {
    delete project.members[data.to];
    return Object.assign(project, { ownerUid: data.to, notes: { ...project.notes, private: emptyNotes().private } });
  },
  ProjectUsersRemoved(project, { data }) {
    for (const uid of data.uids) delete project.members[uid];
    const { invited, message } = project.pending;
    return Object.assign(project, { pending: { invited: invited.filter(({ uid }) => !data.uids.includes(uid)), message } });
  },
  ProjectLeft(project, { data }) {
    delete project.members[data.uid];
    return project;
  },
};
