import { INQUIRY_EVENT_CLASSES, SITE_STREAM } from '@roughmix/contracts/inquiries/inquiry.events.js';
import type { Slice } from '../platform/slice.js';
import { inquiriesProjector } from './inquiries.projector.js';

export const inquiriesSlice: Slice = {
  name: 'inquiries',
  stream: SITE_STREAM,
  eventClasses: INQUIRY_EVENT_CLASSES,
  projectors: [inquiriesProjector],
  load: () => import('./inquiries.module.js'),
};
