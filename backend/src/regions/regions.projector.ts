import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { RegionEvents } from '@roughmix/contracts/regions/region.events.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import { type DocumentChange, projector, type Projector, put, remove, removeWhere, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { type RegionDocument, REGIONS } from './regions.documents.js';

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
  { name: 'regions', version: 1, collections: [{ name: REGIONS, indexes: [{ field: 'projectId' }] }] },
  {
    RegionAdded: ({ data, meta, position, stream }) => {
      const { regionId, versionId, span } = data;
      const projectId = idInStream({ stream });
      const authorUid = meta.actorUid ?? '';
      return [
        put<RegionDocument>(REGIONS, regionId, {
          regionId,
          projectId,
          versionId,
          authorUid,
          dateAdded: meta.at,
          edited: null,
          commentIds: [],
          ...span,
          position,
        }),
      ];
    },
    RegionEdited: ({ data, meta, position }) => [
      update<RegionDocument>(REGIONS, data.regionId, (region) => ({ ...region, ...data.to, edited: meta.at, position })),
    ],
    RegionRemoved: ({ data }) => [remove(REGIONS, data.regionId)],
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
