import { COMMENT_EVENT_CLASSES } from '@roughmix/contracts/comments/comment.events.js';
import type { Upcaster } from '../kernel/upcast.js';
import type { Slice } from '../platform/slice.js';
import { commentsProjector } from './comments.projector.js';

/** Images from before their sizes were recorded count nothing. */
const upcasters: readonly Upcaster[] = [
  {
    from: 'CommentImageAdded',
    to: 'CommentImageAdded.v2',
    classes: { commentId: 'plain', uploadId: 'plain', key: 'content', contentType: 'plain', width: 'plain', height: 'plain' },
    change: (data) => ({ ...(data as object), size: 0 }),
  },
];

export const commentsSlice: Slice = {
  name: 'comments',
  stream: 'project-<id>',
  eventClasses: COMMENT_EVENT_CLASSES,
  upcasters,
  projectors: [commentsProjector],
  load: () => import('./comments.module.js'),
};
