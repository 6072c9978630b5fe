import { Injectable } from '@nestjs/common';
import { type ProjectPush, projectTopic, publicTopic, type Topic, userTopic } from '@roughmix/contracts/live.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Emission, projectFactsOf, type ProjectPushFacts, type PushSource } from '../platform/live/live-message.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { ProjectsQueries } from '../projects/projects.queries.js';
import { NotesQueries } from './notes.queries.js';

/** Pushes of notes: the public one to everyone in the project, the private one to its owner's own room only. */
@Injectable()
export class NotesPushes implements PushSource {
  constructor(
    private readonly access: ProjectAccessQueries,
    private readonly projects: ProjectsQueries,
    private readonly notes: NotesQueries,
  ) {}

  steps(stored: StoredEvent): readonly Emission[] {
    const event = stored as Stored<ProjectStreamEvent>;
    const facts = projectFactsOf(event);
    if (event.type === 'PrivateNoteEdited') return [this.toOwner(facts, event.data.ownerUid)];
    if (event.type !== 'PublicNoteEdited') return [];
    return [this.toRoom(facts, projectTopic(facts.projectId), 'members'), this.toRoom(facts, publicTopic(facts.projectId), 'visitors')];
  }

  private toRoom(facts: ProjectPushFacts, topic: Topic, audience: 'members' | 'visitors'): Emission {
    const build = async (): Promise<readonly ProjectPush[]> => {
      const view = await this.projects.roomView(facts.projectId, audience);
      if (view === null) return [];
      const notes = await this.notes.publicNotes(facts.projectId);
      return [{ ...facts, type: 'ProjectNotes', view: { ...view, owner: { ...view.owner, notes } } }];
    };
    return { kind: 'emit', topics: [topic], channel: 'projects', build };
  }

  private toOwner(facts: ProjectPushFacts, ownerUid: Uid): Emission {
    const build = async (): Promise<readonly ProjectPush[]> => {
      const seen = await this.access.seenBy(facts.projectId, ownerUid);
      return seen === null ? [] : [{ ...facts, type: 'ProjectNotes', view: await this.projects.viewOf(seen) }];
    };
    return { kind: 'emit', topics: [userTopic(ownerUid)], subject: publicTopic(facts.projectId), channel: 'projects', build };
  }
}
