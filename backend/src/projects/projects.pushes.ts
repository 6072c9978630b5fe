import { Injectable } from '@nestjs/common';
import { type ProjectPush, projectTopic, publicTopic, type Topic, userTopic } from '@roughmix/contracts/live.js';
import type { ProjectEvents, ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { built, type Emission, type LiveStep, projectFactsOf, type ProjectPushFacts, type PushSource } from '../platform/live/live-message.js';
import { ProjectAccessQueries } from './project-access.queries.js';
import { permissionLevel } from './project-views.queries.js';
import { ProjectsQueries } from './projects.queries.js';

type MemberChangeType = 'ProjectUsersInvited' | 'ProjectPermissions';

const DETAILS = {
  ProjectRenamed: 'ProjectName',
  ProjectDescriptionEdited: 'ProjectDescription',
  ProjectCompletionChanged: 'ProjectCompleted',
} as const;
type DetailType = (typeof DETAILS)[keyof typeof DETAILS] | 'ProjectVisibility';

const emission = (topic: Topic, build: () => Promise<readonly ProjectPush[]>): Emission => ({ kind: 'emit', topics: [topic], channel: 'projects', build });
/** Sends the ids of removed resources to users who may have lost access with this event. */
const lossPush = (topic: Topic, push: ProjectPush): Emission => ({ ...emission(topic, built(push)), tellsOfLoss: true });

/** Live pushes about a project and its members. */
@Injectable()
export class ProjectsPushes implements PushSource {
  constructor(
    private readonly access: ProjectAccessQueries,
    private readonly projects: ProjectsQueries,
  ) {}

  steps(stored: StoredEvent): readonly LiveStep[] {
    const event = stored as Stored<ProjectStreamEvent>;
    const facts = projectFactsOf(event);
    switch (event.type) {
      case 'ProjectRenamed':
      case 'ProjectDescriptionEdited':
      case 'ProjectCompletionChanged':
        return [this.toMembers(facts, DETAILS[event.type]), this.toVisitors(facts, DETAILS[event.type])];
      case 'ProjectVisibilityChanged':
        return this.visibility(facts, event.data.to);
      case 'ProjectUsersInvited':
        return this.invited(facts, event.data);
      case 'ProjectPermissionsChanged':
        return this.members(facts, 'ProjectPermissions', [event.data.uid]);
      case 'ProjectTakenOver':
        return this.members(facts, 'ProjectPermissions', [event.data.to]);
      case 'ProjectUsersRemoved':
        return this.removed(facts, event.data.uids);
      case 'ProjectLeft':
        return this.removed(facts, [event.data.uid]);
      case 'ProjectRemoved':
        return gone(facts);
      default:
        return [];
    }
  }

  private toMembers(facts: ProjectPushFacts, type: DetailType): Emission {
    return emission(projectTopic(facts.projectId), async () => {
      const view = await this.projects.roomView(facts.projectId, 'members');
      return view === null ? [] : [{ ...facts, type, view }];
    });
  }

  private toVisitors(facts: ProjectPushFacts, type: DetailType): Emission {
    return emission(publicTopic(facts.projectId), async () => {
      const view = await this.projects.roomView(facts.projectId, 'visitors');
      return view === null ? [] : [{ ...facts, type, view }];
    });
  }

  private visibility(facts: ProjectPushFacts, to: 'private' | 'public'): readonly LiveStep[] {
    const type = 'ProjectVisibility' as const;
    const toMembers = this.toMembers(facts, type);
    if (to === 'public') return [toMembers, this.toVisitors(facts, type)];
    const closed = publicTopic(facts.projectId);
    return [toMembers, lossPush(closed, { ...facts, type, ids: [facts.projectId] }), { kind: 'evict', topic: closed, uids: 'everybody' }];
  }

  private invited(facts: ProjectPushFacts, { invited, message }: ProjectEvents['ProjectUsersInvited']): readonly LiveStep[] {
    const uids = invited.map(({ uid }) => uid);
    const rooms = { from: publicTopic(facts.projectId), to: projectTopic(facts.projectId) };
    return [{ kind: 'promote', ...rooms, uids }, ...this.members(facts, 'ProjectUsersInvited', uids, message)];
  }

  /** To the members' room, and to each affected user with their new rights. */
  private members(facts: ProjectPushFacts, type: MemberChangeType, uids: readonly Uid[], message?: string): readonly Emission[] {
    const { projectId } = facts;
    const toRoom = emission(projectTopic(projectId), async () => {
      const view = await this.projects.roomView(projectId, 'members');
      return view === null ? [] : [{ ...facts, type, uids, view }];
    });
    const toPerson = (uid: Uid): Emission => ({
      ...emission(userTopic(uid), async () => {
        const seen = await this.access.seenBy(projectId, uid);
        if (seen === null) return [];
        const own = { ...facts, type, uids, view: await this.projects.viewWithoutNotes(seen), permissionLevel: permissionLevel(seen.who) };
        return [message === undefined ? own : { ...own, message }];
      }),
      subject: publicTopic(projectId),
    });
    return [toRoom, ...uids.map(toPerson)];
  }

  /** Evicts removed members from the room before the push is sent to it. */
  private removed(facts: ProjectPushFacts, uids: readonly Uid[]): readonly LiveStep[] {
    const { projectId } = facts;
    const type = 'ProjectUsersRemoved' as const;
    const topic = projectTopic(projectId);
    const toRoom = emission(topic, async () => {
      const view = await this.projects.roomView(projectId, 'members');
      return view === null ? [] : [{ ...facts, type, uids, view }];
    });
    return [{ kind: 'evict', topic, uids }, toRoom, ...uids.map((uid) => lossPush(userTopic(uid), { ...facts, type, uids, ids: [projectId] }))];
  }
}

function gone(facts: ProjectPushFacts): readonly LiveStep[] {
  const ids: readonly Id[] = [facts.projectId];
  return [projectTopic(facts.projectId), publicTopic(facts.projectId)].flatMap((topic): LiveStep[] => [
    lossPush(topic, { ...facts, type: 'ProjectRemoved', ids }),
    { kind: 'evict', topic, uids: 'everybody' },
  ]);
}
