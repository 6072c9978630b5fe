import { COMMENT_EVENT_CLASSES } from '@roughmix/contracts/comments/comment.events.js';
import type { Slice } from '../platform/slice.js';
import { commentsProjector } from './comments.projector.js';

export const commentsSlice: Slice = {
  name: 'comments',
  stream: 'project-<id>',
  eventClasses: COMMENT_EVENT_CLASSES,
  projectors: [commentsProjector],
  load: () => import('./comments.module.js'),
};
