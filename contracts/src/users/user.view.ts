import type { QuotaView } from '../quotas/quota.view.js';
import type { Id, Instant, Position, Uid } from '../shared/ids.js';

/** A person as others see them; `_id` and `uid` are equal. */
export interface PersonView {
  readonly _id: Uid;
  readonly uid: Uid;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly smallPhoto: string;
  readonly largePhoto: string;
  readonly photoURL: string;
}

/** What a person says about themselves; each text is '' until they write it. */
export interface UserInfo {
  readonly location: string;
  readonly about: string;
  readonly influences: string;
}

/** What notifies a person, and who may find them. */
export interface UserSettings {
  readonly pushNotifs: {
    readonly enabled: boolean;
    readonly directMessages: boolean;
    readonly todoReminders: boolean;
    readonly mentions: boolean;
    readonly replies: boolean;
    readonly invitations: boolean;
    readonly activity: boolean;
  };
  readonly mailNotifs: { readonly todoReminders: boolean; readonly digest: boolean };
  readonly profile: { readonly hideFromSearch: boolean; readonly noindex: boolean };
}

/** What a person says about themselves at first. */
export const NO_INFO: UserInfo = { location: '', about: '', influences: '' };

/** The settings of an account that never changed them. */
export const DEFAULT_SETTINGS: UserSettings = {
  pushNotifs: { enabled: true, directMessages: true, todoReminders: true, mentions: true, replies: true, invitations: true, activity: false },
  mailNotifs: { todoReminders: true, digest: false },
  profile: { hideFromSearch: false, noindex: false },
};

/** One kind of a group's notifications. */
export interface GroupNotificationSetting {
  readonly enabled: boolean;
  readonly dateUpdated: Instant;
}

export type GroupNotificationSettings = Readonly<Record<'projectShared' | 'userComments' | 'likesMyContent', GroupNotificationSetting>>;

/** The signed-in user. `profileCompletion` 0 leads to the welcome page. */
export interface SelfView extends PersonView {
  readonly email: string;
  readonly dateAdded: Instant;
  /** Equal to `dateAdded`. */
  readonly createdDate: Instant;
  readonly profileCompletion: number;
  readonly isGuest: boolean;
  readonly info: UserInfo;
  /** The path of the cover picture, or null. */
  readonly coverPhoto: string | null;
  /** The uids of their connections, each with the time since when. */
  readonly connections: Readonly<Record<Uid, Instant>>;
  /** The uids of the people whom they block. */
  readonly blocked: readonly Uid[];
  readonly groups: readonly Id[];
  readonly settings: UserSettings;
  readonly groupNotifications: Readonly<Record<Id, GroupNotificationSettings>>;
  /** The position of the last change of the profile. */
  readonly position: Position;
}

export type StaffRole = 'admin' | 'support' | 'analyst';

/** The answer to login, guest and session. */
export interface SessionAnswer {
  readonly user: SelfView;
  readonly staffRole: StaffRole | null;
  /** Only of GET /api/auth/session; null for the guest. */
  readonly quota?: QuotaView | null;
}
/** PUT /api/users/{id}, and the answers that show a changed profile. */
export interface UpdatedUserAnswer {
  readonly updatedUser: SelfView;
}
/** PUT and DELETE /api/users/{id}/photo. */
export interface PhotoAnswer extends UpdatedUserAnswer {
  readonly smallPhoto: string;
  readonly largePhoto: string;
}
/** PUT and DELETE /api/users/{id}/cover. */
export interface CoverAnswer extends UpdatedUserAnswer {
  readonly coverPhoto: string | null;
}
/** POST /api/auth/passwordReset: sent, or not to be told apart from sent. */
export interface ResetRequestedAnswer {
  readonly message: 'A link has been sent to the email provided';
}
/** A browser or program in which the user is signed in. */
export interface DeviceSession {
  readonly _id: Id;
  /** The session of the request itself. */
  readonly current: boolean;
  readonly dateAdded: Instant;
  /** Updated at most once a minute. */
  readonly lastUsed: Instant;
  /** 'Firefox on Linux', or 'Unknown device'. */
  readonly device: string;
}
/** GET /api/auth/sessions: the current one first, then the last used first. */
export interface SessionsAnswer {
  readonly sessions: readonly DeviceSession[];
}
/** POST /api/auth/visit: whether the caller may open a page. */
export interface VisitAnswer {
  readonly access: 'authorized' | 'login' | 'denied';
}
/** POST /api/admin/{key}/users/getUserInfo: who an account belongs to, before it is removed. */
export interface UserInfoAnswer {
  readonly user: PersonView & Pick<SelfView, 'email' | 'dateAdded' | 'profileCompletion'>;
}
/** POST /api/admin/{key}/users/removeUser */
export interface UserRemovedAnswer {
  readonly message: 'Delete Confirmed';
  /** Null if the address has no account. */
  readonly erased: Uid | null;
  readonly removedProjects: readonly Id[];
  readonly keptProjects: readonly Id[];
  /** How many invite requests and contact messages of the address were deleted. */
  readonly inquiries: number;
}
/** An account as staff see it. */
export interface AccountView extends PersonView {
  readonly email: string;
  readonly staffRole: StaffRole | null;
  readonly dateAdded: Instant;
  readonly profileCompletion: number;
  /** The projects they own. */
  readonly projects: number;
  /** When their session was last used; null if never. */
  readonly lastSeen: Instant | null;
}
/** GET /api/staff/accounts */
export interface AccountsAnswer {
  readonly accounts: readonly AccountView[];
  readonly next: string | null;
  readonly total: number;
}
/** PUT /api/admin/{key}/users/{uid}/staffRole */
export interface AccountAnswer {
  readonly account: AccountView;
}
export interface UserAnswer {
  readonly user: SelfView;
}
export interface UsersAnswer {
  readonly users: readonly PersonView[];
}
export interface UserAddedAnswer {
  readonly message: 'Account Created.';
  readonly user: SelfView;
}

/** What erasing a person did; a repeat lists what it completed. */
export interface UserErasedAnswer {
  readonly erased: Uid;
  /** Their projects without other members: removed, and the keys to their contents destroyed. */
  readonly removedProjects: readonly Id[];
  /** Their projects with other members, and other people's projects they were in: kept, without them. */
  readonly keptProjects: readonly Id[];
}

/** A person's display name: first and last name, else the username. */
export const fullName = (person: Pick<PersonView, 'firstName' | 'lastName' | 'username'>): string =>
  [person.firstName, person.lastName].filter(Boolean).join(' ') || person.username;

/** A username in a URL: lower-cased, with a hyphen for each run of spaces. */
export const usernameSlug = (username: string): string => username.toLowerCase().replace(/ +/g, '-');

/** Shown for an id that never existed. */
export const UNKNOWN_USER = '[unknown user]';
/** Shown for an erased account. */
export const REMOVED_USER = '[removed user]';
/** Whether a person's account was erased; no username may contain brackets. */
export const isErased = (person: Pick<PersonView, 'username'>): boolean => person.username === REMOVED_USER;
