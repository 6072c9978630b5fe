import { Injectable } from '@nestjs/common';
import type { ProjectPush } from '@roughmix/contracts/live.js';
import type { ProjectEvents, ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Emission, factsOf, type LiveStep, memberRoom, type PushFacts, type PushSource, userRoom, visitorRoom } from '../platform/live/live-message.js';
import { ProjectAccessQueries } from './project-access.queries.js';
import { permissionLevel, ProjectsQueries } from './projects.queries.js';

type MemberChangeType = 'ProjectUsersInvited' | 'ProjectPermissions';

const say = (room: string, push: ProjectPush): Emission => ({ kind: 'emit', room, channel: 'projects', push });

const DETAILS = {
  ProjectRenamed: 'ProjectName',
  ProjectDescriptionEdited: 'ProjectDescription',
  ProjectCompletionChanged: 'ProjectCompleted',
} as const;

/** What browsers hear of a project itself and of its members. */
@Injectable()
export class ProjectsPushes implements PushSource {
  constructor(
    private readonly access: ProjectAccessQueries,
    private readonly projects: ProjectsQueries,
  ) {}

  async steps(stored: StoredEvent): Promise<readonly LiveStep[]> {
    const event = stored as Stored<ProjectStreamEvent>;
    switch (event.type) {
      case 'ProjectRenamed':
      case 'ProjectDescriptionEdited':
      case 'ProjectCompletionChanged':
        return this.shown(factsOf(event), DETAILS[event.type]);
      case 'ProjectVisibilityChanged':
        return this.visibility(factsOf(event), event.data.to);
      case 'ProjectUsersInvited':
        return this.invited(factsOf(event), event.data);
      case 'ProjectPermissionsChanged':
        return this.members(factsOf(event), 'ProjectPermissions', [event.data.uid]);
      case 'ProjectUsersRemoved':
        return this.removed(factsOf(event), event.data.uids);
      case 'ProjectLeft':
        return this.removed(factsOf(event), [event.data.uid]);
      case 'ProjectRemoved':
        return this.gone(factsOf(event));
      default:
        return [];
    }
  }

  private async shown(facts: PushFacts, type: 'ProjectName' | 'ProjectDescription' | 'ProjectCompleted' | 'ProjectVisibility'): Promise<readonly LiveStep[]> {
    const forMembers = await this.projects.roomView(facts.projectId, 'members');
    const forVisitors = await this.projects.roomView(facts.projectId, 'visitors');
    if (forMembers === null || forVisitors === null) return [];
    return [say(memberRoom(facts.projectId), { ...facts, type, view: forMembers }), say(visitorRoom(facts.projectId), { ...facts, type, view: forVisitors })];
  }

  private async visibility(facts: PushFacts, to: 'private' | 'public'): Promise<readonly LiveStep[]> {
    const steps = await this.shown(facts, 'ProjectVisibility');
    if (to === 'public') return steps;
    const closed = visitorRoom(facts.projectId);
    const others = steps.filter((step) => step.kind !== 'emit' || step.room !== closed);
    return [...others, say(closed, { ...facts, type: 'ProjectVisibility', ids: [facts.projectId] }), { kind: 'evict', room: closed, uids: 'everybody' }];
  }

  private async invited(facts: PushFacts, { invited, message }: ProjectEvents['ProjectUsersInvited']): Promise<readonly LiveStep[]> {
    const uids = invited.map(({ uid }) => uid);
    const room = { from: visitorRoom(facts.projectId), to: memberRoom(facts.projectId) };
    return [{ kind: 'promote', ...room, uids }, ...(await this.members(facts, 'ProjectUsersInvited', uids, message))];
  }

  /** To the members' room, and to each person concerned with what they may do now. */
  private async members(facts: PushFacts, type: MemberChangeType, uids: readonly Uid[], message?: string): Promise<readonly LiveStep[]> {
    const view = await this.projects.roomView(facts.projectId, 'members');
    if (view === null) return [];
    const steps: LiveStep[] = [say(memberRoom(facts.projectId), { ...facts, type, uids, view })];
    for (const uid of uids) {
      const seen = await this.access.seenBy(facts.projectId, uid);
      if (seen === null) continue;
      const own = { ...facts, type, uids, view: await this.projects.viewOf(seen), permissionLevel: permissionLevel(seen.who) };
      steps.push(say(userRoom(uid), message === undefined ? own : { ...own, message }));
    }
    return steps;
  }

  /** Who is removed leaves the room before that is said there. */
  private async removed(facts: PushFacts, uids: readonly Uid[]): Promise<readonly LiveStep[]> {
    const type = 'ProjectUsersRemoved' as const;
    const view = await this.projects.roomView(facts.projectId, 'members');
    const room = memberRoom(facts.projectId);
    const told: Emission[] = uids.map((uid) => say(userRoom(uid), { ...facts, type, uids, ids: [facts.projectId] }));
    return [{ kind: 'evict', room, uids }, ...(view === null ? [] : [say(room, { ...facts, type, uids, view })]), ...told];
  }

  private gone(facts: PushFacts): readonly LiveStep[] {
    const ids: readonly Id[] = [facts.projectId];
    return [memberRoom(facts.projectId), visitorRoom(facts.projectId)].flatMap((room): LiveStep[] => [
      say(room, { ...facts, type: 'ProjectRemoved', ids }),
      { kind: 'evict', room, uids: 'everybody' },
    ]);
  }
}
