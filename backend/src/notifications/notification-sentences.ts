import type { NotificationType } from '@roughmix/contracts/notifications/notification.types.js';
import { type Grant, rightsOf } from '@roughmix/contracts/projects/project.access.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';

/** What sentences are made of. */
export interface SentenceFacts {
  /** The actor's name. */
  readonly actor: string;
  /** The name of the project or group. */
  readonly parent: string;
  /** A title, a version's number, or a shared version's project and number. */
  readonly resource: string;
  readonly detail: string | null;
  /** The start of the quoted text; null if there is none, or if it is gone. */
  readonly quote: string | null;
  /** How many posts a GroupCommentsBulk represents. */
  readonly count: number;
  /** The receiver is the author of the resource. */
  readonly isOwn: boolean;
}

type Sentence = (facts: SentenceFacts) => string;

const quoting =
  (sentence: Sentence): Sentence =>
  (facts) =>
    facts.quote === null ? sentence(facts) : `${sentence(facts)}: ${facts.quote}`;

const mentioned = quoting(({ actor, parent }) => `${actor} mentioned you in ${parent}`);
const versionAdded = quoting(({ actor, parent, resource }) => `${actor} added version ${resource} to ${parent}`);
const versionRemoved: Sentence = ({ actor, parent, resource }) => `${actor} removed version ${resource} from ${parent}`;

const SENTENCES: Readonly<Record<NotificationType, Sentence>> = {
  UsersNew: () => 'Welcome to Roughmix',
  CollectionAdded: ({ resource }) => `You added the collection ${resource}`,
  CollectionEdited: ({ resource }) => `You changed the collection ${resource}`,
  CollectionRemoved: ({ resource }) => `You removed the collection ${resource}`,
  ProjectAdded: ({ parent }) => `You added the project ${parent}`,
  ProjectName: ({ actor, detail, parent }) => `${actor} renamed ${detail ?? ''} to ${parent}`,
  ProjectDescription: ({ actor, parent }) => `${actor} changed the description of ${parent}`,
  ProjectUsersInvited: quoting(({ actor, parent }) => `${actor} invited you to ${parent}`),
  ProjectUsersRemoved: ({ actor, detail, parent }) => (detail === null ? `${actor} removed you from ${parent}` : `${actor} left ${parent}`),
  ProjectPermissions: ({ actor, detail, parent }) => `${actor} changed what you may do in ${parent}: ${detail ?? ''}`,
  ProjectRemoved: ({ actor, parent }) => `${actor} removed ${parent}`,
  ProjectCompleted: ({ actor, parent }) => `${actor} marked ${parent} as completed`,
  VersionAdded: ({ resource, parent }) => `You added version ${resource} to ${parent}`,
  VersionAddedNotifyUsers: versionAdded,
  VersionAddedNotifyOwner: versionAdded,
  VersionRemoved: ({ resource, parent }) => `You removed version ${resource} from ${parent}`,
  VersionRemovedNotifyUsers: versionRemoved,
  VersionRemovedNotifyOwner: versionRemoved,
  RegionEdited: ({ actor, parent }) => `${actor} changed a region you tagged in ${parent}`,
  RegionRemoved: ({ actor, parent }) => `${actor} removed a region you tagged in ${parent}`,
  TodoAdded: quoting(({ actor, parent }) => `${actor} added a todo to ${parent}`),
  TodoReply: quoting(({ actor, parent }) => `${actor} replied to your todo in ${parent}`),
  TodoTaggedUser: mentioned,
  TodoReminder: ({ detail, quote, parent }) => (quote === null ? (detail ?? '') : `${detail ?? ''}: ${quote} (${parent})`),
  TodoCompleted: quoting(({ actor, parent, isOwn }) => `${actor} completed ${isOwn ? 'your' : 'a'} todo in ${parent}`),
  CompleteShared: quoting(({ actor, parent, detail }) => `${actor} completed a todo in ${parent}${detail === null ? '' : ` (${detail})`}`),
  RemovalShared: ({ resource, parent }) => `${resource} is no longer shared with ${parent}`,
  GroupCommentsBulk: ({ count, parent }) => `${count} new posts in ${parent}`,
  GroupCommentAdded: quoting(({ actor, parent }) => `${actor} posted in ${parent}`),
  GroupCommentRemoved: ({ actor, parent }) => `${actor} removed your post in ${parent}`,
  GroupCommentLiked: ({ actor, parent }) => `${actor} liked your post in ${parent}`,
  GroupCommentDisliked: ({ parent }) => `Somebody disliked your post in ${parent}`,
  GroupCommentTaggedUser: mentioned,
  GroupMediaAdded: ({ actor, resource, parent }) => `${actor} shared ${resource} with ${parent}`,
  GroupMediaRemoved: ({ actor, resource, parent }) => `${actor} removed ${resource} from ${parent}`,
  GroupMediaLiked: ({ actor, resource, parent }) => `${actor} liked ${resource} in ${parent}`,
  CommentAdded: quoting(({ actor, parent }) => `${actor} commented on ${parent}`),
  CommentReply: quoting(({ actor, parent }) => `${actor} replied to your comment in ${parent}`),
  CommentTaggedUser: mentioned,
  ReplyReply: quoting(({ actor, parent }) => `${actor} also replied in ${parent}`),
};

/** What a notification says, as plain text. Names and quotes do not change the direction of the text around them. */
export function sentenceOf(type: NotificationType, { actor, parent, resource, detail, quote, ...facts }: SentenceFacts): string {
  return SENTENCES[type]({
    ...facts,
    actor: isolated(actor),
    parent: isolated(parent),
    resource: isolated(resource),
    detail: detail === null ? null : isolated(detail),
    quote: quote === null ? null : isolated(quote),
  });
}

/** What a grant makes of a member, in words. */
export function roleText(grant: Grant): string {
  if (grant.write) return 'Collaborator';
  const { comment, download } = rightsOf(grant);
  const rights = [...(comment ? ['comments'] : []), ...(download ? ['downloads'] : [])];
  return rights.length === 0 ? 'Viewer' : `Viewer with ${rights.join(' and ')}`;
}
