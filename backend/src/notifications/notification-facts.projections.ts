import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { ProjectStreamEvents } from '@roughmix/contracts/projects/project.events.js';
import type { RegionSpan } from '@roughmix/contracts/regions/region.events.js';
import { type Id, type Uid, withoutIds } from '@roughmix/contracts/shared/ids.js';
import type { Marks } from '@roughmix/contracts/shared/marks.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { StoredEvent } from '../kernel/event.js';
import { type DocumentChange, type Projection, put, remove, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import {
  POST_FACTS,
  type PostFacts,
  PROJECT_FACTS,
  type ProjectFacts,
  REGION_FACTS,
  type RegionFacts,
  VERSION_FACTS,
  type VersionFacts,
  withNotices,
} from './notification-facts.js';

const changeProject = (event: StoredEvent, change: (project: ProjectFacts) => Partial<ProjectFacts>): DocumentChange =>
  update<ProjectFacts>(PROJECT_FACTS, idInStream(event), (project) => ({ ...project, ...change(project) }));

const withoutMembers = (event: StoredEvent, uids: readonly Uid[]): DocumentChange =>
  changeProject(event, ({ memberUids }) => ({ memberUids: withoutIds(memberUids, uids) }));

interface Written {
  readonly taggedUsers: readonly Uid[];
  readonly marks: Marks;
}

const addPost = (event: StoredEvent<string, Written>, postId: Id, parentId: Id | null): DocumentChange =>
  put<PostFacts>(POST_FACTS, postId, {
    postId,
    projectId: idInStream(event),
    authorUid: event.meta.actorUid ?? '',
    parentId,
    taggedUsers: event.data.taggedUsers,
    taggedRegions: event.data.marks.taggedRegions,
    removed: false,
  });

const changePost = (postId: Id, change: (post: PostFacts) => Partial<PostFacts>): DocumentChange =>
  update<PostFacts>(POST_FACTS, postId, (post) => ({ ...post, ...change(post) }));
const editPost = (postId: Id, taggedUsers: readonly Uid[], { taggedRegions }: Marks): DocumentChange =>
  changePost(postId, () => ({ taggedUsers, taggedRegions }));

/** A comment with replies stays as a placeholder. */
const removeComment = ({ commentId, gone }: CommentEvents['CommentRemoved']): readonly DocumentChange[] => [
  ...(gone.includes(commentId) ? [] : [changePost(commentId, () => ({ removed: true, taggedUsers: [], taggedRegions: [] }))]),
  ...gone.map((id) => remove(POST_FACTS, id)),
];

const setRegion = (event: StoredEvent, regionId: Id, { label, tag }: RegionSpan): DocumentChange =>
  put<RegionFacts>(REGION_FACTS, regionId, { regionId, projectId: idInStream(event), label, category: tag });

/** How events change what the rules know. */
export const factProjections: { readonly [Type in keyof ProjectStreamEvents]?: Projection<Type, ProjectStreamEvents[Type]> } = {
  ProjectCreated: (event) => {
    const { ownerUid, projectName } = event.data;
    const projectId = idInStream(event);
    return [put<ProjectFacts>(PROJECT_FACTS, projectId, { projectId, projectName, ownerUid, memberUids: [ownerUid], started: false, notices: [] })];
  },
  ProjectUsersInvited: (event) => {
    const uids = event.data.invited.map(({ uid }) => uid);
    const news = { type: 'ProjectUsersInvited', uids, at: event.meta.at } as const;
    return [
      changeProject(event, ({ memberUids, notices }) => ({ memberUids: [...withoutIds(memberUids, uids), ...uids], notices: withNotices(notices, news) })),
    ];
  },
  ProjectUsersRemoved(event) {
    const { uids } = event.data;
    if (event.meta.actorUid === null) return [withoutMembers(event, uids)];
    const news = { type: 'ProjectUsersRemoved', uids, at: event.meta.at } as const;
    return [changeProject(event, ({ memberUids, notices }) => ({ memberUids: withoutIds(memberUids, uids), notices: withNotices(notices, news) }))];
  },
  ProjectLeft: (event) => [withoutMembers(event, [event.data.uid])],
  ProjectTakenOver: (event) => [changeProject(event, () => ({ ownerUid: event.data.to }))],
  ProjectRenamed: (event) => [changeProject(event, () => ({ projectName: event.data.to }))],

  VersionAdded: (event) => {
    const { versionId, major, minor } = event.data;
    const number = versionNumber({ majorUpdate: major, minorUpdate: minor });
    const version = { versionId, projectId: idInStream(event), number, uploaderUid: event.meta.actorUid ?? '' };
    return [changeProject(event, () => ({ started: true })), put<VersionFacts>(VERSION_FACTS, versionId, version)];
  },
  VersionRemoved: ({ data }) => [remove(VERSION_FACTS, data.versionId)],

  RegionAdded: (event) => [setRegion(event, event.data.regionId, event.data.span)],
  ChildRegionAdded: (event) => [setRegion(event, event.data.regionId, event.data.span)],
  RegionEdited: (event) => [setRegion(event, event.data.regionId, event.data.to)],
  'RegionRemoved.v2': ({ data: { regionId, commentIds, todoIds } }) => [
    remove(REGION_FACTS, regionId),
    ...[...commentIds, ...todoIds].map((id) => changePost(id, ({ taggedRegions }) => ({ taggedRegions: withoutIds(taggedRegions, [regionId]) }))),
  ],

  CommentAdded: (event) => [addPost(event, event.data.commentId, null)],
  CommentReplyAdded: (event) => [addPost(event, event.data.commentId, event.data.parentCommentId)],
  CommentEdited: ({ data: { commentId, taggedUsers, to } }) => [editPost(commentId, taggedUsers, to)],
  CommentRemoved: ({ data }) => removeComment(data),
  TodoAdded: (event) => [addPost(event, event.data.todoId, null)],
  TodoReplyAdded: (event) => [addPost(event, event.data.todoId, event.data.parentTodoId)],
  TodoEdited: ({ data: { todoId, text } }) => (text === null ? [] : [editPost(todoId, text.taggedUsers, text.to)]),
  TodoRemoved: ({ data: { todoId, replyIds } }) => [todoId, ...replyIds].map((id) => remove(POST_FACTS, id)),
  TodoReplyRemoved: ({ data }) => [remove(POST_FACTS, data.todoId)],
};
