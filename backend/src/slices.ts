import { COMMENT_EVENT_CLASSES } from '@roughmix/contracts/comments/comment.events.js';
import { PROJECT_EVENT_CLASSES } from '@roughmix/contracts/projects/project.events.js';
import { REGION_EVENT_CLASSES } from '@roughmix/contracts/regions/region.events.js';
import { USER_EVENT_CLASSES } from '@roughmix/contracts/users/user.events.js';
import { VERSION_EVENT_CLASSES } from '@roughmix/contracts/versions/version.events.js';
import { commentsProjector } from './comments/comments.projector.js';
import type { Slices } from './platform/platform.js';
import { partsProjector } from './projects/parts.projector.js';
import { projectsProjector } from './projects/projects.projector.js';
import { regionsProjector } from './regions/regions.projector.js';
import { usersProjector } from './users/users.projector.js';
import { versionsProjector } from './versions/versions.projector.js';

/** What each slice brings to the platform. No event has changed its shape yet, so there are no upcasters. */
export const slices: Slices = {
  projectors: [usersProjector, projectsProjector, versionsProjector, regionsProjector, commentsProjector, partsProjector],
  fieldClasses: new Map(
    Object.entries({ ...USER_EVENT_CLASSES, ...PROJECT_EVENT_CLASSES, ...VERSION_EVENT_CLASSES, ...REGION_EVENT_CLASSES, ...COMMENT_EVENT_CLASSES }),
  ),
  upcasters: [],
};
