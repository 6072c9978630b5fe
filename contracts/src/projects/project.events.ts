import type { CommentEvents } from '../comments/comment.events.js';
import type { NoteEvents } from '../notes/note.events.js';
import type { PlayEvents } from '../plays/play.events.js';
import type { RegionEvents } from '../regions/region.events.js';
import type { EventClasses, EventOf } from '../shared/field-classes.js';
import type { Id, Uid } from '../shared/ids.js';
import type { TodoEvents } from '../todos/todo.events.js';
import type { TutorialEvents } from '../tutorial/tutorial.events.js';
import type { VersionEvents } from '../versions/version.events.js';
import type { Grant, Visibility } from './project.access.js';

/** An invited user, with their rights. */
export interface Invited extends Grant {
  readonly uid: Uid;
}

/** The project's own events; those of its parts are in the same stream, `project-<id>`. */
export interface ProjectEvents {
  /** A new project. Only the owner sees it until its first version (`firstVersionId`) is added; the invitation takes effect at that point. */
  ProjectCreated: {
    readonly projectId: Id;
    readonly ownerUid: Uid;
    readonly firstVersionId: Id;
    readonly projectName: string;
    readonly description: string;
    readonly tinySummary: string;
    readonly invited: readonly Invited[];
    readonly message: string;
  };
  ProjectUsersInvited: { readonly invited: readonly Invited[]; readonly message: string };
  ProjectPermissionsChanged: { readonly uid: Uid; readonly from: Grant; readonly to: Grant };
  /** A member became the owner, because the owner's account was erased. */
  ProjectTakenOver: { readonly from: Uid; readonly to: Uid };
  ProjectUsersRemoved: { readonly uids: readonly Uid[] };
  ProjectLeft: { readonly uid: Uid };
  ProjectRenamed: { readonly from: string; readonly to: string };
  ProjectDescriptionEdited: { readonly from: string; readonly to: string };
  ProjectVisibilityChanged: { readonly from: Visibility; readonly to: Visibility };
  ProjectCompletionChanged: { readonly from: boolean; readonly to: boolean };
  ProjectRemoved: { readonly abandoned: boolean };
  /** By the system, once a removal is final: the key of the project's texts is destroyed, and all traces of these parts are deleted. */
  ProjectPurged: { readonly versionIds: readonly Id[]; readonly regionIds: readonly Id[]; readonly commentIds: readonly Id[] };
}

const invited = { 'invited[].uid': 'plain', 'invited[].access': 'plain', 'invited[].write': 'plain' } as const;

export const PROJECT_EVENT_CLASSES: EventClasses<ProjectEvents> = {
  ProjectCreated: {
    projectId: 'plain',
    ownerUid: 'plain',
    firstVersionId: 'plain',
    projectName: 'content',
    description: 'content',
    tinySummary: 'content',
    message: 'content',
    ...invited,
  },
  ProjectUsersInvited: { message: 'content', ...invited },
  ProjectPermissionsChanged: { uid: 'plain', 'from.access': 'plain', 'from.write': 'plain', 'to.access': 'plain', 'to.write': 'plain' },
  ProjectTakenOver: { from: 'plain', to: 'plain' },
  ProjectUsersRemoved: { uids: 'plain' },
  ProjectLeft: { uid: 'plain' },
  ProjectRenamed: { from: 'content', to: 'content' },
  ProjectDescriptionEdited: { from: 'content', to: 'content' },
  ProjectVisibilityChanged: { from: 'plain', to: 'plain' },
  ProjectCompletionChanged: { from: 'plain', to: 'plain' },
  ProjectRemoved: { abandoned: 'plain' },
  ProjectPurged: { versionIds: 'plain', regionIds: 'plain', commentIds: 'plain' },
};

/** Every event of a project's stream. */
export type ProjectStreamEvents = ProjectEvents & VersionEvents & RegionEvents & CommentEvents & TodoEvents & NoteEvents & TutorialEvents & PlayEvents;
export type ProjectStreamEvent = EventOf<ProjectStreamEvents>;

/** The stream of a project. */
export const projectStream = (projectId: Id): string => `project-${projectId}`;
