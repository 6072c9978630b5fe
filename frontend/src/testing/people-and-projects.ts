import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
import type { ListedProject, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { DEFAULT_SETTINGS, type PersonView, type SelfView } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';

/** A person with this first name. */
export const personCalled = (firstName: string): PersonView => ({
  _id: firstName.toLowerCase(),
  uid: firstName.toLowerCase(),
  username: firstName,
  firstName,
  lastName: '',
  smallPhoto: '',
  largePhoto: '',
  photoURL: '',
});

/** The signed-in user. */
export const selfCalled = (firstName: string, changes: Partial<SelfView> = {}): SelfView => ({
  ...personCalled(firstName),
  email: `${firstName.toLowerCase()}@band.example`,
  dateAdded: 0,
  createdDate: 0,
  profileCompletion: 1,
  isGuest: false,
  info: { location: '', about: '', influences: '' },
  coverPhoto: null,
  connections: {},
  blocked: [],
  groups: [],
  settings: DEFAULT_SETTINGS,
  groupNotifications: {},
  position: 0,
  ...changes,
});

const versionOf = (projectId: string, uploader: PersonView): VersionView => ({
  _id: `${projectId}_v1`,
  projectId,
  majorUpdate: 1,
  minorUpdate: 0,
  tinySummary: 'Initial Version',
  versionUrl: `/api/media/${projectId}_v1/audio`,
  peaksUrl: null,
  peaksLevels: 0,
  dateAdded: 0,
  filename: 'mix.wav',
  uploader,
  taggedUsers: [],
  completedTodos: [],
  initialLogin: false,
  state: 'ready',
  duration: 60,
  analysis: null,
  playback: { codec: 'pcm_s16le', isCopy: false },
  rejection: null,
  position: 1,
});

/** A project with its first version, changed just now: the view of its page and of the list. */
export function projectCalled(projectName: string, owner: PersonView, changes: Partial<ProjectView & ListedProject> = {}): ProjectView & ListedProject {
  const _id = projectName.toLowerCase().replaceAll(' ', '_');
  const version = versionOf(_id, owner);
  return {
    _id,
    projectName,
    description: '',
    owner: { ...owner, name: owner.firstName, notes: { public: '', hash: { public: sha256('') } } },
    visibility: 'private',
    completed: false,
    userPermissions: { read: [], write: [] },
    addedUsers: [],
    versionIds: [version._id],
    versions: [version],
    currentVersion: version,
    versionUrl: version.versionUrl,
    highestVersion: version,
    regionIds: [],
    todoIds: [],
    completedTodos: [],
    commentIds: [],
    commentCount: 0,
    todoCount: 0,
    completedTodoCount: 0,
    sharedGroups: [],
    permissionLevel: { role: 'Owner', access: null, comment: true, download: true, write: true, owner: true },
    initialLogin: false,
    firstVersionId: null,
    dateAdded: 0,
    dateModified: Date.now(),
    position: 1,
    ...changes,
  };
}

/** A collection of these projects. */
export const collectionCalled = (title: string, owner: PersonView, projects: readonly string[] = [], position = 1): CollectionView => ({
  _id: title.toLowerCase(),
  type: 'collection',
  title,
  projects,
  owner,
  userPermissions: { read: [], write: [] },
  dateAdded: 1,
  dateModified: position,
  position,
});
