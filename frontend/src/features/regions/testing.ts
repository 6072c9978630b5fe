import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';

/** Views as the server returns them, for specs. */
export const aPerson = (uid: string): PersonView => ({
  _id: uid,
  uid,
  username: uid,
  firstName: uid,
  lastName: '',
  smallPhoto: '',
  largePhoto: '',
  photoURL: '',
});

export const aRegion = (_id: string, facts: Partial<RegionView> = {}): RegionView => ({
  _id,
  projectId: 'p1',
  versionId: 'v2',
  groupId: null,
  start: 10,
  end: 14,
  tag: 'general',
  label: null,
  timespan: '0:10 – 0:14',
  user: aPerson('ana'),
  dateAdded: 0,
  edited: null,
  commentIds: [],
  todoIds: [],
  parentRegion: null,
  childRegion: null,
  position: 1,
  ...facts,
});

export const aVersion = (_id: string, duration = 100): VersionView => ({
  _id,
  projectId: 'p1',
  majorUpdate: 1,
  minorUpdate: 0,
  tinySummary: 'first',
  versionUrl: `/api/media/${_id}/audio`,
  peaksUrl: null,
  peaksLevels: 0,
  dateAdded: 0,
  filename: 'song.wav',
  uploader: aPerson('ana'),
  taggedUsers: [],
  completedTodos: [],
  initialLogin: false,
  state: 'ready',
  duration,
  analysis: null,
  playback: { codec: 'pcm_s16le', isCopy: false },
  rejection: null,
  position: 1,
});

export const aViewer = (uid: string, comment = true): Viewer => ({
  uid,
  role: 'Viewer',
  access: comment ? 1 : 0,
  may: { comment, download: false, write: false, owner: false },
});
