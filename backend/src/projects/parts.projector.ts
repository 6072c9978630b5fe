import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { RegionEvents } from '@roughmix/contracts/regions/region.events.js';
import { projector, type Projector, put } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { type PartDocument, PARTS } from './parts.documents.js';

/** Remembers of every comment and region which project it belongs to. */
export const partsProjector: Projector = projector<Pick<CommentEvents, 'CommentAdded' | 'CommentReplyAdded'> & Pick<RegionEvents, 'RegionAdded'>>(
  { name: 'parts', version: 1, collections: [{ name: PARTS, indexes: [] }] },
  {
    RegionAdded: (event) => [put<PartDocument>(PARTS, event.data.regionId, { projectId: idInStream(event) })],
    CommentAdded: (event) => [put<PartDocument>(PARTS, event.data.commentId, { projectId: idInStream(event) })],
    CommentReplyAdded: (event) => [put<PartDocument>(PARTS, event.data.commentId, { projectId: idInStream(event) })],
  },
);
