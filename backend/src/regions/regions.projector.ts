import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { RegionEvents } from '@roughmix/contracts/regions/region.events.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import { type DocumentChange, projector, type Projector, put, remove, removeWhere, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { type RegionDocument, REGIONS } from './regions.documents.js';

function begin(event: StoredEvent<string, RegionEvents['RegionAdded']>, parentRegionId: Id | null): DocumentChange {
  const { regionId, versionId, span } = event.data;
  return put<RegionDocument>(REGIONS, regionId, {
    regionId,
    projectId: idInStream(event),
    versionId,
    authorUid: event.meta.actorUid ?? '',
    dateAdded: event.meta.at,
    edited: null,
    commentIds: [],
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

const tag = (regionIds: readonly Id[], commentId: Id, position: Position): readonly DocumentChange[] =>
  regionIds.map((regionId) =>
    update<RegionDocument>(REGIONS, regionId, (region) => ({
      ...region,
      commentIds: [...region.commentIds.filter((id) => id !== commentId), commentId],
      position,
    })),
  );

const untag = (regionIds: readonly Id[], commentId: Id, position: Position): readonly DocumentChange[] =>
  regionIds.map((regionId) =>
    update<RegionDocument>(REGIONS, regionId, (region) => ({ ...region, commentIds: region.commentIds.filter((id) => id !== commentId), position })),
  );

const missingIn = (ids: readonly Id[], others: readonly Id[]): readonly Id[] => ids.filter((id) => !others.includes(id));

export const regionsProjector: Projector = projector<RegionEvents & CommentEvents & Pick<ProjectEvents, 'ProjectPurged'>>(
  { name: 'regions', version: 2, collections: [{ name: REGIONS, indexes: [{ field: 'projectId' }] }] },
  {
    RegionAdded: (event) => [begin(event, null)],
    ChildRegionAdded: (event) => {
      const { regionId, parentRegionId } = event.data;
      return [begin(event, parentRegionId), changeChildren(event, parentRegionId, [regionId])];
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

    CommentAdded: ({ data, position }) => tag(data.marks.taggedRegions, data.commentId, position),
    CommentReplyAdded: ({ data, position }) => tag(data.marks.taggedRegions, data.commentId, position),
    CommentEdited: ({ data: { commentId, from, to }, position }) => [
      ...untag(missingIn(from.taggedRegions, to.taggedRegions), commentId, position),
      ...tag(missingIn(to.taggedRegions, from.taggedRegions), commentId, position),
    ],
    CommentRemoved: ({ data, position }) => untag(data.taggedRegions, data.commentId, position),
  },
);
