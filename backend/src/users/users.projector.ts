import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import { type DocumentChange, projector, type Projector, put, remove, update } from '../kernel/projector.js';
import { erasedUser, type ProfileDocument, PROFILES, registeredProfile, registeredUser, type UserDocument, USERS, withKeys } from './users.documents.js';
import { slugsOnceComplete, slugsOnceRenamed } from './user-slugs.js';

const changedUser = (uid: Uid, position: Position, changes: (user: UserDocument) => Partial<UserDocument>): DocumentChange =>
  update<UserDocument>(USERS, uid, (user) => (user.erased ? user : withKeys({ ...user, ...changes(user), position })));
const changedProfile = (uid: Uid, position: Position, changes: Partial<ProfileDocument>): DocumentChange =>
  update<ProfileDocument>(PROFILES, uid, (profile) => ({ ...profile, ...changes, position }));

export const usersProjector: Projector = projector<UserEvents>(
  {
    name: 'users',
    version: 6,
    collections: [
      { name: USERS, indexes: [{ field: 'searchKeys', sort: 'username' }, { field: 'slugs' }, { field: 'lookalikeKeys' }] },
      { name: PROFILES, indexes: [{ field: 'wantsDigest', sort: 'uid' }] },
    ],
  },
  {
    UserRegistered: ({ data, meta, position }) => [
      put(USERS, data.uid, registeredUser(data, meta.at, position)),
      put(PROFILES, data.uid, registeredProfile(data, position)),
    ],
    UserRenamed: ({ data, position }) => [changedUser(data.uid, position, (user) => ({ ...data.to, ...slugsOnceRenamed(user, data) }))],
    UserInfoEdited: ({ data: { uid, info }, position }) => [changedProfile(uid, position, { info })],
    UserSettingsEdited: ({ data: { uid, settings }, position }) => [
      changedUser(uid, position, () => ({ isHiddenFromSearch: settings.profile.hideFromSearch })),
      changedProfile(uid, position, { settings, wantsDigest: settings.mailNotifs.digest }),
    ],
    UserPhotoChanged: ({ data: { uid, to }, position }) => [changedUser(uid, position, () => ({ photo: to }))],
    UserCoverChanged: ({ data: { uid, to }, position }) => [changedProfile(uid, position, { cover: to })],
    UserProfileCompleted: ({ data: { uid }, position }) => [
      changedUser(uid, position, (user) => ({ isComplete: true, ...slugsOnceComplete(user) })),
      changedProfile(uid, position, { profileCompletion: 1 }),
    ],
    UserErased: ({ data: { uid }, position }) => [put<UserDocument>(USERS, uid, erasedUser(uid, position)), remove(PROFILES, uid)],
  },
);
