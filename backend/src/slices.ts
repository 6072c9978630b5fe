import { adminSlice } from './admin/admin.slice.js';
import { blocksSlice } from './blocks/blocks.slice.js';
import { collectionsSlice } from './collections/collections.slice.js';
import { commentsSlice } from './comments/comments.slice.js';
import { demoSlice } from './demo/demo.slice.js';
import { inquiriesSlice } from './inquiries/inquiries.slice.js';
import { mailingsSlice } from './mailings/mailings.slice.js';
import { markersSlice } from './markers/markers.slice.js';
import { mediaSlice } from './media/media.slice.js';
import { notesSlice } from './notes/notes.slice.js';
import { composeSlices, type Slices } from './platform/slice.js';
import { playsSlice } from './plays/plays.slice.js';
import { notificationsSlice } from './notifications/notifications.slice.js';
import { profilesSlice } from './profiles/profiles.slice.js';
import { projectsSlice } from './projects/projects.slice.js';
import { pushSlice } from './push/push.slice.js';
import { quotasSlice } from './quotas/quotas.slice.js';
import { regionsSlice } from './regions/regions.slice.js';
import { staffSlice } from './staff/staff.slice.js';
import { todosSlice } from './todos/todos.slice.js';
import { tutorialSlice } from './tutorial/tutorial.slice.js';
import { usersSlice } from './users/users.slice.js';
import { versionsSlice } from './versions/versions.slice.js';

/**
 * The one list of slices. Pushes of an event are sent in this order: projects first, so that removed members leave the room before anything else is
 * sent, and comments and todos before the regions that they tag.
 */
export const slices: Slices = composeSlices([
  usersSlice,
  staffSlice,
  projectsSlice,
  profilesSlice,
  blocksSlice,
  versionsSlice,
  commentsSlice,
  todosSlice,
  regionsSlice,
  notesSlice,
  collectionsSlice,
  notificationsSlice,
  pushSlice,
  mailingsSlice,
  mediaSlice,
  markersSlice,
  playsSlice,
  quotasSlice,
  inquiriesSlice,
  tutorialSlice,
  adminSlice,
  demoSlice,
]);
