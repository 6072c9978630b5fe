import type { ProjectStreamEvents } from '@roughmix/contracts/projects/project.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type DocumentChange, type Projections, projector, type Projector, put } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { type PartDocument, PARTS } from './parts.documents.js';
import { ITEM_IDS } from './project-parts.decider.js';

const projections: Projections<ProjectStreamEvents> = Object.fromEntries(
  [...ITEM_IDS].map(([type, field]) => [
    type,
    (event: StoredEvent<string, Readonly<Record<string, string>>>): readonly DocumentChange[] => [
      put<PartDocument>(PARTS, event.data[field] ?? '', { projectId: idInStream(event) }),
    ],
  ]),
);

/** Maps each version, comment, region and other item to its project. */
export const partsProjector: Projector = projector<ProjectStreamEvents>(
  { name: 'parts', version: 2, collections: [{ name: PARTS, indexes: [] }] },
  projections,
);
