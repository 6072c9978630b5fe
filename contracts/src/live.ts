import type { CommentView } from './comments/comment.view.js';
import type { InProject, LeftProject } from './live.api.js';
import type { PermissionLevel, ProjectView } from './projects/project.view.js';
import type { RegionView } from './regions/region.view.js';
import type { Id, Position, Uid } from './shared/ids.js';
import type { Problem } from './shared/problems.js';
import type { PersonView } from './users/user.view.js';
import type { VersionView } from './versions/version.view.js';

/**
 * What every message says. A tab knows its own changes by `commandId`; the newest position of a thing wins. Several messages may share a position;
 * they come in order, so those of a position are complete once a message of a later one came, or the answer to `in-project` names it.
 */
interface PushOf<Type extends string> {
  readonly type: Type;
  readonly projectId: Id;
  /** null for the system, and where the actor is not to be told. */
  readonly actorUid: Uid | null;
  readonly commandId: string | null;
  readonly position: Position;
}
/** A thing as its query gives it, without what differs between viewers. */
type Shows<Type extends string, View> = PushOf<Type> & { readonly view: View; readonly ids?: undefined };
/** A removal, or a thing gone by the time of sending. */
type Names<Type extends string> = PushOf<Type> & { readonly ids: readonly Id[]; readonly view?: undefined };

export type ProjectPush =
  | Shows<'ProjectName' | 'ProjectDescription' | 'ProjectNotes' | 'ProjectCompleted', ProjectView>
  | Shows<'ProjectVisibility', ProjectView>
  | Names<'ProjectVisibility' | 'ProjectRemoved'>
  | (Shows<'ProjectUsersInvited' | 'ProjectPermissions', ProjectView> & {
      readonly uids: readonly Uid[];
      readonly permissionLevel?: PermissionLevel;
      readonly message?: string;
    })
  | (Shows<'ProjectUsersRemoved', ProjectView> & { readonly uids: readonly Uid[] })
  | (Names<'ProjectUsersRemoved'> & { readonly uids: readonly Uid[] });

export type MediaPush = Shows<'VersionAdded' | 'VersionAnalyzed' | 'VersionRejected' | 'VersionReplaced', VersionView> | Names<'VersionRemoved'>;
export type RegionPush = Shows<'RegionAdded' | 'RegionEdited', RegionView> | Names<'RegionRemoved'>;
export type CommentPush =
  | Shows<'CommentAdded' | 'CommentReplyAdded' | 'CommentEdited' | 'CommentRated', CommentView>
  | Names<'CommentRemoved' | 'CommentReplyRemoved'>;

/** Who is looking at a project, a person once whatever the tabs. */
export interface CurrentUsers {
  readonly projectId: Id;
  readonly users: readonly PersonView[];
}

/** Every message that the server sends, by its socket.io event: the only list of pushes. */
export interface ServerMessages {
  projects: (push: ProjectPush) => void;
  media: (push: MediaPush) => void;
  regions: (push: RegionPush) => void;
  comments: (push: CommentPush) => void;
  currentUsers: (current: CurrentUsers) => void;
}

/** The channels that carry changes of a project, in contrast to presence. */
export type PushChannel = 'projects' | 'media' | 'regions' | 'comments';
export type Push = ProjectPush | MediaPush | RegionPush | CommentPush;

/** How the server answers a message. */
export type Ack<Answer extends object = object> = ({ readonly ok: true } & Answer) | { readonly ok: false; readonly problem: Problem };

export interface InProjectAnswer {
  /** The room's newest position. */
  readonly position: Position;
  /** Empty for a visitor. */
  readonly users: readonly PersonView[];
  /** Which log the positions belong to: it changes when a backup is restored. Who knew another one forgets all that it had and asks anew. */
  readonly log: string;
  /**
   * Nothing of what was missed was told, ask for everything of the project again: it was more than 500 events or 4 MB, `log` is another one, or in
   * between the project was not there for this person, or in another way (what happened then is not told afterwards; what stands now is seen anew).
   */
  readonly reload?: true;
}

/** Every message that a browser sends, each checked and acknowledged. */
export interface ClientMessages {
  login: (body: object, ack: (answer: Ack) => void) => void;
  logout: (body: object, ack: (answer: Ack) => void) => void;
  'in-project': (body: InProject, ack: (answer: Ack<InProjectAnswer>) => void) => void;
  'left-project': (body: LeftProject, ack: (answer: Ack) => void) => void;
}
