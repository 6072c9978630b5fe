import type { GroupNotificationSetting, GroupNotificationSettings, PersonView, SelfView, UserInfo, UserSettings } from '@roughmix/contracts/users/user.view.js';
import { type Fields, flag, instant, listOf, number, objectOf, orNull, position, type Schema, text } from './schema.js';

/** A person as others see them. */
export const person: Fields<PersonView> = {
  _id: text,
  uid: text,
  username: text,
  firstName: text,
  lastName: text,
  smallPhoto: text,
  largePhoto: text,
  photoURL: text,
};

const byId = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });

const settings = objectOf<UserSettings>({
  pushNotifs: objectOf<UserSettings['pushNotifs']>({
    enabled: flag,
    directMessages: flag,
    todoReminders: flag,
    mentions: flag,
    replies: flag,
    invitations: flag,
    activity: flag,
  }),
  mailNotifs: objectOf<UserSettings['mailNotifs']>({ todoReminders: flag, digest: flag }),
  profile: objectOf<UserSettings['profile']>({ hideFromSearch: flag, noindex: flag }),
});

const groupNotification = objectOf<GroupNotificationSetting>({ enabled: flag, dateUpdated: instant });

/** A person as they see themselves. */
export const self: Fields<SelfView> = {
  ...person,
  email: text,
  dateAdded: instant,
  createdDate: instant,
  profileCompletion: number,
  isGuest: flag,
  info: objectOf<UserInfo>({ location: text, about: text, influences: text }),
  coverPhoto: orNull(text),
  connections: byId(instant),
  blocked: listOf(text),
  groups: listOf(text),
  settings,
  groupNotifications: byId(
    objectOf<GroupNotificationSettings>({ projectShared: groupNotification, userComments: groupNotification, likesMyContent: groupNotification }),
  ),
  position,
};
