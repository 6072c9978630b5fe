import type { CollectionEvents } from '@roughmix/contracts/collections/collection.events.js';
import type { NotificationType } from '@roughmix/contracts/notifications/notification.types.js';
import type { ProjectStreamEvents } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { withoutIds } from '@roughmix/contracts/shared/ids.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { REMINDER_OFFSETS, reminderSentence } from '@roughmix/contracts/todos/todo.due.js';
import { isTutorialFile } from '@roughmix/contracts/tutorial/tutorial-files.js';
import { completionOf, type UserEvents } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Read } from '../kernel/projector.js';
import { type Known, type MembershipNews, POST_FACTS, type PostFacts, REGION_FACTS, notYetNotified, VERSION_FACTS } from './notification-facts.js';
import type { NotificationSubject } from './notifications.documents.js';
import { roleText } from './notification-sentences.js';

/** Who gets a type. In a list of these the earlier ones take precedence: each receiver gets the first that names them. */
type Audience = readonly [type: NotificationType, uids: readonly (Uid | null)[]];

/** What an event gives notice of, and to whom. */
export interface Notice {
  readonly to: readonly Audience[];
  readonly subject: NotificationSubject;
  readonly detail?: string | null;
  readonly versionId?: Id | null;
  readonly dueDate?: Instant | null;
}

type RuleEvents = ProjectStreamEvents & CollectionEvents & UserEvents;

/** The rule of an event type: what it needs besides the project, and the notice; null: none. */
interface Rule<Data> {
  readonly reads?: (data: Data) => readonly Read[];
  readonly notice: (event: StoredEvent<string, Data>, known: Known) => Notice | null;
}

const BARE = { name: null, ownerUid: null, category: null } as const;
const user = (id: Uid): NotificationSubject => ({ kind: 'user', id, ...BARE });
const collection = (id: Id, name: string): NotificationSubject => ({ kind: 'collection', id, ...BARE, name });
const post = (kind: 'todo' | 'comment', id: Id, ownerUid: Uid | null): NotificationSubject => ({ kind, id, ...BARE, ownerUid });
const project = ({ project: facts }: Known): NotificationSubject => ({ kind: 'project', id: facts?.projectId ?? '', ...BARE });

const members = ({ project: facts }: Known): readonly Uid[] => facts?.memberUids ?? [];
const owner = ({ project: facts }: Known): readonly Uid[] => (facts === null ? [] : [facts.ownerUid]);

/** Removing and adding the same person again tells them nothing new for a day. */
const newsOf = (news: MembershipNews, { project: facts }: Known): Audience => [news.type, notYetNotified(facts?.notices ?? [], news)];

const postReads = (...ids: readonly Id[]): readonly Read[] => ids.map((id) => ({ collection: POST_FACTS, id }));
const threadReads = (parentId: Id): readonly Read[] => [...postReads(parentId), { collection: POST_FACTS, where: { field: 'parentId', value: parentId } }];
const authors = (posts: Iterable<PostFacts>): readonly Uid[] => [...posts].filter(({ removed }) => !removed).map(({ authorUid }) => authorUid);

/** The author of a thread's first post, and those of its replies. */
function thread(parentId: Id, { posts }: Known): { readonly first: readonly Uid[]; readonly replies: readonly Uid[] } {
  const inThread = [...posts.values()];
  return { first: authors(inThread.filter(({ postId }) => postId === parentId)), replies: authors(inThread.filter((each) => each.parentId === parentId)) };
}

const newlyMentioned = (id: Id, taggedUsers: readonly Uid[], { posts }: Known): readonly Uid[] => withoutIds(taggedUsers, posts.get(id)?.taggedUsers ?? []);

/** An event of a version, whose own entry of the actor is not a notification of others. */
const versionAudiences = <Type extends 'VersionAdded' | 'VersionRemoved'>(type: Type, actor: Uid | null, known: Known): readonly Audience[] => [
  [type, [actor]],
  [`${type}NotifyOwner`, owner(known)],
  [`${type}NotifyUsers`, members(known)],
];

const toMembers = (type: NotificationType): Rule<unknown> => ({ notice: (_event, known) => ({ to: [[type, members(known)]], subject: project(known) }) });
const ownCollection = (type: 'CollectionAdded' | 'CollectionRemoved'): Rule<CollectionEvents[typeof type]> => ({
  notice: ({ data }) => ({ to: [[type, [data.ownerUid]]], subject: collection(data.collectionId, data.title) }),
});
const welcome = (uid: Uid): Notice => ({ to: [['UsersNew', [uid]]], subject: user(uid) });

/**
 * The one table of who is notified of what (the sentences are in notification-sentences.ts). The actor is left out of everything except entries of their own
 * and UsersNew, and so is everyone who is not a member of the project, except those whom the event itself invites.
 */
export const NOTIFICATION_RULES: { readonly [Type in keyof RuleEvents]?: Rule<RuleEvents[Type]> } = {
  UserRegistered: { notice: ({ data }) => (data.guest || completionOf(data) === 0 ? null : welcome(data.uid)) },
  UserProfileCompleted: { notice: ({ data }) => welcome(data.uid) },

  CollectionAdded: ownCollection('CollectionAdded'),
  CollectionRemoved: ownCollection('CollectionRemoved'),
  CollectionEdited: { notice: ({ data }) => ({ to: [['CollectionEdited', [data.ownerUid]]], subject: collection(data.collectionId, data.to) }) },

  ProjectRenamed: { notice: ({ data }, known) => ({ to: [['ProjectName', members(known)]], subject: project(known), detail: data.from }) },
  ProjectDescriptionEdited: toMembers('ProjectDescription'),
  ProjectRemoved: toMembers('ProjectRemoved'),
  ProjectCompletionChanged: {
    notice: ({ data }, known) => (data.to ? { to: [['ProjectCompleted', members(known)]], subject: project(known) } : null),
  },
  ProjectUsersInvited: {
    notice: ({ data, meta }, known) => ({
      to: [newsOf({ type: 'ProjectUsersInvited', uids: data.invited.map(({ uid }) => uid), at: meta.at }, known)],
      subject: project(known),
      detail: data.message === '' ? null : data.message,
    }),
  },
  ProjectPermissionsChanged: {
    notice: ({ data }, known) => ({ to: [['ProjectPermissions', [data.uid]]], subject: project(known), detail: roleText(data.to) }),
  },
  // Erased people are removed by the system.
  ProjectUsersRemoved: {
    notice: ({ data, meta }, known) =>
      meta.actorUid === null ? null : { to: [newsOf({ type: 'ProjectUsersRemoved', uids: data.uids, at: meta.at }, known)], subject: project(known) },
  },
  ProjectLeft: { notice: (_event, known) => ({ to: [['ProjectUsersRemoved', owner(known)]], subject: project(known), detail: 'left' }) },

  VersionAdded: {
    notice({ data, meta }, known) {
      if (isTutorialFile(data.file)) return null;
      if (known.project?.started === false) return { to: [['ProjectAdded', [meta.actorUid]]], subject: project(known) };
      const name = versionNumber({ majorUpdate: data.major, minorUpdate: data.minor });
      const subject = { kind: 'version', id: data.versionId, name, ownerUid: meta.actorUid, category: null } as const;
      return { to: versionAudiences('VersionAdded', meta.actorUid, known), subject };
    },
  },
  VersionRemoved: {
    reads: ({ versionId }) => [{ collection: VERSION_FACTS, id: versionId }],
    notice({ data: { versionId }, meta }, known) {
      const version = known.versions.get(versionId);
      if (version === undefined) return null;
      const subject = { kind: 'version', id: versionId, name: version.number, ownerUid: version.uploaderUid, category: null } as const;
      return { to: versionAudiences('VersionRemoved', meta.actorUid, known), subject };
    },
  },

  RegionEdited: {
    reads: ({ regionId }) => [{ collection: POST_FACTS, where: { field: 'taggedRegions', value: regionId } }],
    notice: ({ data: { regionId, to } }, known) => ({
      to: [['RegionEdited', authors(known.posts.values())]],
      subject: { kind: 'region', id: regionId, name: to.label ?? to.tag, ownerUid: null, category: to.tag },
    }),
  },
  'RegionRemoved.v2': {
    reads: ({ regionId, commentIds, todoIds }) => [{ collection: REGION_FACTS, id: regionId }, ...postReads(...commentIds, ...todoIds)],
    notice({ data: { regionId } }, known) {
      const region = known.regions.get(regionId);
      if (region === undefined) return null;
      const { label, category } = region;
      const subject = { kind: 'region', id: regionId, name: label ?? category, ownerUid: null, category } as const;
      return { to: [['RegionRemoved', authors(known.posts.values())]], subject };
    },
  },

  // An image comment is shown once its image is there.
  CommentAdded: {
    notice: ({ data: { kind, commentId, taggedUsers }, meta }, known) =>
      kind === 'image'
        ? null
        : {
            to: [
              ['CommentTaggedUser', taggedUsers],
              ['CommentAdded', members(known)],
            ],
            subject: post('comment', commentId, meta.actorUid),
          },
  },
  'CommentImageAdded.v2': {
    notice: ({ data, meta }, known) => ({ to: [['CommentAdded', members(known)]], subject: post('comment', data.commentId, meta.actorUid) }),
  },
  CommentReplyAdded: {
    reads: ({ parentCommentId }) => threadReads(parentCommentId),
    notice({ data: { commentId, parentCommentId, taggedUsers }, meta }, known) {
      const { first, replies } = thread(parentCommentId, known);
      return {
        to: [
          ['CommentTaggedUser', taggedUsers],
          ['CommentReply', first],
          ['ReplyReply', replies],
        ],
        subject: post('comment', commentId, meta.actorUid),
      };
    },
  },
  CommentEdited: {
    reads: ({ commentId }) => postReads(commentId),
    notice: ({ data: { commentId, taggedUsers }, meta }, known) => ({
      to: [['CommentTaggedUser', newlyMentioned(commentId, taggedUsers, known)]],
      subject: post('comment', commentId, meta.actorUid),
    }),
  },

  TodoAdded: {
    notice: ({ data: { todoId, taggedUsers }, meta }, known) => ({
      to: [
        ['TodoTaggedUser', taggedUsers],
        ['TodoAdded', members(known)],
      ],
      subject: post('todo', todoId, meta.actorUid),
    }),
  },
  TodoReplyAdded: {
    reads: ({ parentTodoId }) => threadReads(parentTodoId),
    notice({ data: { todoId, parentTodoId, taggedUsers }, meta }, known) {
      const { first, replies } = thread(parentTodoId, known);
      return {
        to: [
          ['TodoTaggedUser', taggedUsers],
          ['TodoReply', first],
          ['ReplyReply', replies],
        ],
        subject: post('todo', todoId, meta.actorUid),
      };
    },
  },
  TodoEdited: {
    reads: ({ todoId }) => postReads(todoId),
    notice: ({ data: { todoId, text }, meta }, known) => ({
      to: [['TodoTaggedUser', newlyMentioned(todoId, text?.taggedUsers ?? [], known)]],
      subject: post('todo', todoId, meta.actorUid),
    }),
  },
  TodoCompleted: {
    reads: ({ todoId }) => postReads(todoId),
    notice({ data: { todoId, version } }, known) {
      const author = known.posts.get(todoId)?.authorUid ?? null;
      return {
        to: [
          ['TodoCompleted', [author, ...owner(known)]],
          ['CompleteShared', members(known)],
        ],
        subject: post('todo', todoId, author),
        detail: version === null ? null : versionNumber(version),
        versionId: version?.versionId ?? null,
      };
    },
  },
  TodoReminderFired: {
    reads: ({ todoId }) => postReads(todoId),
    notice({ data: { todoId, reminder } }, known) {
      const todo = known.posts.get(todoId);
      if (todo === undefined) return null;
      return {
        to: [['TodoReminder', [todo.authorUid, ...todo.taggedUsers]]],
        subject: post('todo', todoId, todo.authorUid),
        detail: reminderSentence(reminder.label),
        dueDate: reminder.at + REMINDER_OFFSETS[reminder.label],
      };
    },
  },
};
