import type { CollectionView } from './collections/collection.view.js';
import type { CommentView } from './comments/comment.view.js';
import type { InProject, LeftProject, Login } from './live.api.js';
import type { UpdateMetrics } from './plays/play.api.js';
import type { UpdateNewUserNotif } from './notifications/notification.api.js';
import type { NotificationSet } from './notifications/notification.types.js';
import type { ChecklistAnswer, NotificationCounts, NotificationView } from './notifications/notification.view.js';
import type { PermissionLevel, ProjectView } from './projects/project.view.js';
import type { RegionView } from './regions/region.view.js';
import type { Id, Position, Uid } from './shared/ids.js';
import type { Problem } from './shared/problems.js';
import type { TodoView } from './todos/todo.view.js';
import type { PersonView, SelfView } from './users/user.view.js';
import type { VersionView } from './versions/version.view.js';

/**
 * What a room is about. The room's name is `{kind}:{id}`: `project:{id}` for members, `public:{id}` for visitors of a public project,
 * `user:{uid}` for one person's sockets.
 */
export interface Topic {
  readonly kind: string;
  readonly id: Id;
}

/** The members of a project. */
export const projectTopic = (projectId: Id): Topic => ({ kind: 'project', id: projectId });
/** The visitors of a public project. */
export const publicTopic = (projectId: Id): Topic => ({ kind: 'public', id: projectId });
/** One person, on every device. */
export const userTopic = (uid: Uid): Topic => ({ kind: 'user', id: uid });

/**
 * The fields of every push. A tab recognises its own changes by `commandId`; the newest position of a resource wins. Several pushes can share a
 * position; pushes arrive in order, so a position is complete once a push of a later one arrives, or once an ack names it. Only acks count in a room
 * that several lanes feed (ADR 29).
 */
export interface PushOf<Type extends string> {
  readonly type: Type;
  /** null for the system, and where the actor must stay secret. */
  readonly actorUid: Uid | null;
  readonly commandId: string | null;
  readonly position: Position;
}
/** A push about a project. Pushes about something else carry no projectId. */
interface PushOfProject<Type extends string> extends PushOf<Type> {
  readonly projectId: Id;
}
/** A resource as its query returns it, without what differs between viewers. */
type Shows<Type extends string, View> = PushOfProject<Type> & { readonly view: View; readonly ids?: undefined };
/** A removal, or a resource that is gone by the time of sending. */
type Names<Type extends string> = PushOfProject<Type> & { readonly ids: readonly Id[]; readonly view?: undefined };

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

export type MediaPush =
  | Shows<'VersionAdded' | 'VersionAnalyzed' | 'PlaybackCopied' | 'VersionRejected' | 'VersionReplaced', VersionView>
  | Names<'VersionRemoved'>;
export type RegionPush = Shows<'RegionAdded' | 'RegionEdited', RegionView> | Names<'RegionRemoved'>;
export type CommentPush =
  | Shows<'CommentAdded' | 'CommentReplyAdded' | 'CommentEdited' | 'CommentRated', CommentView>
  | Names<'CommentRemoved' | 'CommentReplyRemoved'>;
/** A removal names the todo with its replies. A reminder that fires is a TodoEdited without an actor. */
export type TodoPush = Shows<'TodoAdded' | 'TodoReplyAdded' | 'TodoEdited' | 'TodoCompleted', TodoView> | Names<'TodoRemoved' | 'TodoReplyRemoved'>;

/** To the owner's sockets. A removed project is taken out by a CollectionEdited with the actor of the removal. */
export type CollectionPush =
  | (PushOf<'CollectionAdded' | 'CollectionEdited'> & { readonly view: CollectionView; readonly ids?: undefined })
  | (PushOf<'CollectionRemoved'> & { readonly ids: readonly Id[]; readonly view?: undefined });

/**
 * A user's own profile, to all their sockets; and the ids of erased users, to everyone who may know their names: pages replace these by '[removed user]'.
 */
export type UserPush =
  | (PushOf<'UserEdited'> & { readonly view: SelfView; readonly ids?: undefined })
  | (PushOf<'UserErased'> & { readonly ids: readonly Uid[]; readonly view?: undefined });

/** To a user's own sockets, with the unread counts. `NotificationsRead` without ids: all of the set that were made by events up to `position`, except UsersNew. */
export type NotificationPush = { readonly counts: NotificationCounts } & (
  | (PushOf<'NotificationAdded' | 'NotificationEdited'> & { readonly view: NotificationView; readonly ids?: undefined })
  | (PushOf<'NotificationsRead' | 'NotificationsRemoved'> & { readonly ids: readonly Id[]; readonly set?: undefined; readonly view?: undefined })
  | (PushOf<'NotificationsRead'> & { readonly ids: null; readonly set: NotificationSet; readonly view?: undefined })
);

/** Who is looking at a project; a person is listed once, however many tabs they have. */
export interface CurrentUsers {
  readonly projectId: Id;
  readonly users: readonly PersonView[];
}

/** Every message the server sends, by its socket.io event: the only list of pushes. */
export interface ServerMessages {
  projects: (push: ProjectPush) => void;
  media: (push: MediaPush) => void;
  regions: (push: RegionPush) => void;
  comments: (push: CommentPush) => void;
  todos: (push: TodoPush) => void;
  collections: (push: CollectionPush) => void;
  users: (push: UserPush) => void;
  notification: (push: NotificationPush) => void;
  currentUsers: (current: CurrentUsers) => void;
}

/** Open to slices outside this program: each declares its channels by merging members of the form of {@link ServerMessages} into this interface. */
export interface MoreMessages {}

type PushMessages = Omit<ServerMessages, 'currentUsers'> & MoreMessages;
/** The channels that carry pushes, as opposed to presence. */
export type PushChannel = keyof PushMessages;
export type Push = Parameters<PushMessages[PushChannel]>[0];

/** How the server answers a message. */
export type Ack<Answer extends object = object> = ({ readonly ok: true } & Answer) | { readonly ok: false; readonly problem: Problem };

/** The ack of every message that joins a room or returns to one. */
export interface JoinedAnswer {
  /** The room's newest position. */
  readonly position: Position;
  /** Which log the positions belong to. It changes when a backup is restored; a client with another log drops its cache and fetches it again. */
  readonly log: string;
  /**
   * Missed messages were not sent: fetch everything the room covers again. Either more than 500 events or 4 MB were missed, or `log` is another log,
   * or access changed in between. Events from the time without access are never replayed.
   */
  readonly reload?: true;
}

/** The ack of `login`. */
export type LoginAnswer = JoinedAnswer;

/** The ack of `in-project`. */
export interface InProjectAnswer extends JoinedAnswer {
  /** Empty for a visitor. */
  readonly users: readonly PersonView[];
}

/** Every message a browser sends, each checked and acknowledged. */
export interface ClientMessages {
  login: (body: Login, ack: (answer: Ack<LoginAnswer>) => void) => void;
  logout: (body: object, ack: (answer: Ack) => void) => void;
  'in-project': (body: InProject, ack: (answer: Ack<InProjectAnswer>) => void) => void;
  'left-project': (body: LeftProject, ack: (answer: Ack) => void) => void;
  /** Seconds of a version that were played; at most every 30 s for each socket and version. */
  'update-metrics': (body: UpdateMetrics, ack: (answer: Ack) => void) => void;
  /** Ticks or unticks an item of the caller's welcome checklist. */
  'update-newUserNotif': (body: UpdateNewUserNotif, ack: (answer: Ack<ChecklistAnswer>) => void) => void;
}

/** Messages that the server listens to for slices which do not exist yet: unknown until one answers them. */
type ReservedMessage = 'in-group' | 'left-group' | 'update-likes';

/** The name of every message that the server listens to; the compiler demands all of {@link ClientMessages}. */
export const CLIENT_MESSAGES: Readonly<Record<keyof ClientMessages | ReservedMessage, true>> = {
  login: true,
  logout: true,
  'in-project': true,
  'left-project': true,
  'in-group': true,
  'left-group': true,
  'update-likes': true,
  'update-metrics': true,
  'update-newUserNotif': true,
};
