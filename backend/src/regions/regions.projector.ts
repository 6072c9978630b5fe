import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { RegionEvents } from '@roughmix/contracts/regions/region.events.js';
import { type Id, type Position, withoutIds } from '@roughmix/contracts/shared/ids.js';
import type { Marks } from '@roughmix/contracts/shared/marks.js';
import type { TodoEvents } from '@roughmix/contracts/todos/todo.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type DocumentChange, projector, type Projector, put, remove, removeWhere, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { type RegionDocument, REGIONS } from './regions.documents.js';

function insertRegion(event: StoredEvent<string, RegionEvents['RegionAdded']>, parentRegionId: Id | null): DocumentChange {
  const { regionId, versionId, span } = event.data;
  return put<RegionDocument>(REGIONS, regionId, {
    regionId,
    projectId: idInStream(event),
    versionId,
    authorUid: event.meta.actorUid ?? '',
    dateAdded: event.meta.at,
    edited: null,
    commentIds: [],
    todoIds: [],
    parentRegionId,
    childIds: [],
    ...span,
    position: event.position,
  });
}

/** Changes a parent's children: without the region of the event, then `last`. */
const changeChildren = ({ data, position }: StoredEvent<string, { readonly regionId: Id }>, parentRegionId: Id, last: readonly Id[]): DocumentChange =>
  update<RegionDocument>(REGIONS, parentRegionId, (parent) => ({
    ...parent,
    childIds: [...parent.childIds.filter((id) => id !== data.regionId), ...last],
    position,
  }));

/** Posts of one kind: the region's list of them, and their ids. */
type Posts = { readonly [List in 'commentIds' | 'todoIds']?: readonly Id[] };

/** Changes the regions' lists of these posts. */
function changePosts(regionIds: readonly Id[], posts: Posts, position: Position, change: (listed: readonly Id[], ids: readonly Id[]) => readonly Id[]) {
  return regionIds.map((regionId) =>
    update<RegionDocument>(REGIONS, regionId, (region) => ({
      ...region,
      commentIds: change(region.commentIds, posts.commentIds ?? []),
      todoIds: change(region.todoIds, posts.todoIds ?? []),
      position,
    })),
  );
}

const tag = (regionIds: readonly Id[], posts: Posts, position: Position): readonly DocumentChange[] =>
  changePosts(regionIds, posts, position, (listed, ids) => [...withoutIds(listed, ids), ...ids]);

const untag = (regionIds: readonly Id[], posts: Posts, position: Position): readonly DocumentChange[] => changePosts(regionIds, posts, position, withoutIds);

const retag = ({ from, to }: { readonly from: Marks; readonly to: Marks }, posts: Posts, position: Position): readonly DocumentChange[] => [
  ...untag(withoutIds(from.taggedRegions, to.taggedRegions), posts, position),
  ...tag(withoutIds(to.taggedRegions, from.taggedRegions), posts, position),
];

export const regionsProjector: Projector = projector<RegionEvents & CommentEvents & TodoEvents & Pick<ProjectEvents, 'ProjectPurged'>>(
  { name: 'regions', version: 3, collections: [{ name: REGIONS, indexes: [{ field: 'projectId' }] }] },
  {
    RegionAdded: (event) => [insertRegion(event, null)],
    ChildRegionAdded: (event) => {
      const { regionId, parentRegionId } = event.data;
      return [insertRegion(event, parentRegionId), changeChildren(event, parentRegionId, [regionId])];
    },
    RegionEdited: ({ data, meta, position }) => [
      update<RegionDocument>(REGIONS, data.regionId, (region) => ({ ...region, ...data.to, edited: meta.at, position })),
    ],
    'RegionRemoved.v2': (event) => {
      const { regionId, parentRegionId, childIds } = event.data;
      const fromParent = parentRegionId === null ? [] : [changeChildren(event, parentRegionId, [])];
      const orphans = childIds.map((id) => update<RegionDocument>(REGIONS, id, (child) => ({ ...child, parentRegionId: null, position: event.position })));
      return [remove(REGIONS, regionId), ...fromParent, ...orphans];
    },
    ProjectPurged: removeWhere(REGIONS, 'projectId', idInStream),

    CommentAdded: ({ data, position }) => tag(data.marks.taggedRegions, { commentIds: [data.commentId] }, position),
    CommentReplyAdded: ({ data, position }) => tag(data.marks.taggedRegions, { commentIds: [data.commentId] }, position),
    CommentEdited: ({ data, position }) => retag(data, { commentIds: [data.commentId] }, position),
    CommentRemoved: ({ data, position }) => untag(data.taggedRegions, { commentIds: [data.commentId] }, position),

    TodoAdded: ({ data, position }) => tag(data.marks.taggedRegions, { todoIds: [data.todoId] }, position),
    TodoReplyAdded: ({ data, position }) => tag(data.marks.taggedRegions, { todoIds: [data.todoId] }, position),
    TodoEdited: ({ data, position }) => (data.text === null ? [] : retag(data.text, { todoIds: [data.todoId] }, position)),
    TodoRemoved: ({ data, position }) => untag(data.taggedRegions, { todoIds: [data.todoId, ...data.replyIds] }, position),
    TodoReplyRemoved: ({ data, position }) => untag(data.taggedRegions, { todoIds: [data.todoId] }, position),
  },
);
