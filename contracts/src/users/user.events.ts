import type { EventClasses, EventOf, FieldClasses } from '../shared/field-classes.js';
import type { Uid } from '../shared/ids.js';
import type { UserInfo, UserSettings } from './user.view.js';

/** What a person is called. */
export interface UserNames {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** A profile photo in two sizes: the names of its files. */
export interface UserPhoto {
  readonly contentType: string;
  readonly small: string;
  readonly large: string;
}

/** A cover picture: the name of its file. */
export interface UserCover {
  readonly contentType: string;
  readonly file: string;
}

/** The stream of a person, `user-<uid>`. Their e-mail address is kept in the vault only. */
export interface UserEvents {
  /** With both names the profile is complete from the start. */
  UserRegistered: { readonly uid: Uid; readonly username: string; readonly firstName: string; readonly lastName: string; readonly guest: boolean };
  UserRenamed: { readonly uid: Uid; readonly from: UserNames; readonly to: UserNames };
  UserInfoEdited: { readonly uid: Uid; readonly info: UserInfo };
  UserSettingsEdited: { readonly uid: Uid; readonly settings: UserSettings };
  /** `from` names the files to delete. */
  UserPhotoChanged: { readonly uid: Uid; readonly from: UserPhoto | null; readonly to: UserPhoto | null };
  UserCoverChanged: { readonly uid: Uid; readonly from: UserCover | null; readonly to: UserCover | null };
  /** They took another user into their connections, or out of them. Invitations connect people too (ProjectUsersInvited), and either side ends that for both; the later event wins. */
  UserFollowed: { readonly uid: Uid; readonly otherUid: Uid };
  UserUnfollowed: { readonly uid: Uid; readonly otherUid: Uid };
  /** Someone they block may neither add them to anything nor write to them. Sealed, because it concerns nobody else: it is neither exported nor published. */
  UserBlocked: { readonly uid: Uid; readonly otherUid: Uid };
  UserUnblocked: { readonly uid: Uid; readonly otherUid: Uid };
  /** The welcome form was accepted. */
  UserProfileCompleted: { readonly uid: Uid };
  /** By the system, irreversible: the key of their names is destroyed. The uid remains as a pseudonym. */
  UserErased: { readonly uid: Uid };
}

/** The `profileCompletion` of a new account: 0 while it needs the welcome form. */
export const completionOf = ({ firstName, lastName, guest }: UserEvents['UserRegistered']): number => (guest || (firstName !== '' && lastName !== '') ? 1 : 0);

const ofThemselves = { personal: 'uid' } as const;
const namesClasses = (path: string): FieldClasses => ({
  [`${path}.username`]: ofThemselves,
  [`${path}.firstName`]: ofThemselves,
  [`${path}.lastName`]: ofThemselves,
});
const plainClasses = (...paths: readonly string[]): FieldClasses => Object.fromEntries(paths.map((path) => [path, 'plain' as const]));
const fileClasses = (path: string, ...fields: readonly string[]): FieldClasses => plainClasses(path, ...fields.map((field) => `${path}.${field}`));

export const USER_EVENT_CLASSES: EventClasses<UserEvents> = {
  UserRegistered: { uid: 'plain', username: ofThemselves, firstName: ofThemselves, lastName: ofThemselves, guest: 'plain' },
  UserRenamed: { uid: 'plain', ...namesClasses('from'), ...namesClasses('to') },
  UserInfoEdited: { uid: 'plain', 'info.location': ofThemselves, 'info.about': ofThemselves, 'info.influences': ofThemselves },
  UserSettingsEdited: {
    uid: 'plain',
    ...plainClasses('settings.pushNotifs.enabled', 'settings.pushNotifs.directMessages', 'settings.pushNotifs.todoReminders'),
    ...plainClasses('settings.pushNotifs.mentions', 'settings.pushNotifs.replies', 'settings.pushNotifs.invitations', 'settings.pushNotifs.activity'),
    ...plainClasses('settings.mailNotifs.todoReminders', 'settings.mailNotifs.digest'),
    ...plainClasses('settings.profile.hideFromSearch', 'settings.profile.noindex'),
  },
  UserPhotoChanged: { uid: 'plain', ...fileClasses('from', 'contentType', 'small', 'large'), ...fileClasses('to', 'contentType', 'small', 'large') },
  UserCoverChanged: { uid: 'plain', ...fileClasses('from', 'contentType', 'file'), ...fileClasses('to', 'contentType', 'file') },
  UserFollowed: { uid: 'plain', otherUid: 'plain' },
  UserUnfollowed: { uid: 'plain', otherUid: 'plain' },
  UserBlocked: { uid: 'plain', otherUid: ofThemselves },
  UserUnblocked: { uid: 'plain', otherUid: ofThemselves },
  UserProfileCompleted: { uid: 'plain' },
  UserErased: { uid: 'plain' },
};

export type UserStreamEvent = EventOf<UserEvents>;

/** The stream of a person. */
export const userStream = (uid: Uid): string => `user-${uid}`;
