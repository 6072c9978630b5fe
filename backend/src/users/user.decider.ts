import { type Instant, type Position, type Uid, withoutIds } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { completionOf, type UserCover, type UserEvents, type UserNames, type UserPhoto, type UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import { DEFAULT_SETTINGS, NO_INFO, type UserInfo, type UserSettings } from '@roughmix/contracts/users/user.view.js';
import type { CommandOf, Decider, Folds, Rules, Stored } from '../kernel/decider.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import { slugsAtFirst, slugsOnceComplete, slugsOnceRenamed, type UserSlugs } from './user-slugs.js';

/** A user as registered. */
export type Registration = UserEvents['UserRegistered'];

/** A user as of their last change. */
export interface Person extends Registration, UserSlugs {
  readonly dateAdded: Instant;
  readonly info: UserInfo;
  readonly settings: UserSettings;
  readonly photo: UserPhoto | null;
  readonly cover: UserCover | null;
  /** When the newest of their usernames were chosen, the latest last; without the one of the welcome form. */
  readonly renamedAt: readonly Instant[];
  /** 0 until the welcome form is accepted. */
  readonly profileCompletion: number;
  /** Whom they followed or unfollowed, and the position of the last time they did. Invitations connect people without an event in this stream. */
  readonly follows: Readonly<Record<Uid, Connection>>;
  /** Whom they block. */
  readonly blocked: readonly Uid[];
}

/** Whether someone is connected with another user, as of a position. */
export interface Connection {
  readonly isConnected: boolean;
  readonly position: Position;
}

/** `known` is what the connections' read model shows, which may lag behind this stream. */
export interface FollowData {
  readonly otherUid: Uid;
  readonly known: Connection;
}

export interface UserState {
  /** Null before the registration and after the erasure. */
  readonly person: Person | null;
  readonly erased: boolean;
}

/** Some of a person's settings. */
export type SettingsChange = {
  readonly [Group in keyof UserSettings]?: { readonly [Name in keyof UserSettings[Group]]?: UserSettings[Group][Name] | undefined } | undefined;
};

/** Fields that are missing stay as they are. */
export interface UserEdit {
  readonly names: { readonly [Name in keyof UserNames]?: string | undefined };
  readonly info: { readonly [Name in keyof UserInfo]?: string | undefined };
  readonly settings: SettingsChange;
  /** By the welcome form. */
  readonly completesProfile: boolean;
  readonly at: Instant;
}

interface UserCommands {
  /** By the system, as the two others of a person without a session. */
  RegisterUser: Registration;
  EraseUser: { readonly uid: string };
  /** By the person. */
  EditUser: UserEdit;
  ChangePhoto: { readonly photo: UserPhoto | null };
  ChangeCover: { readonly cover: UserCover | null };
  FollowUser: FollowData;
  UnfollowUser: FollowData;
  BlockUser: { readonly otherUid: Uid };
  UnblockUser: { readonly otherUid: Uid };
}
export type UserCommand = CommandOf<UserCommands>;

/** The fields of `old`, replaced by those that `change` has. */
function merged<Fields extends object>(old: Fields, change: { readonly [Name in keyof Fields]?: Fields[Name] | undefined }): Fields {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...old, ...given };
}

const mergedSettings = (old: UserSettings, change: SettingsChange): UserSettings => ({
  pushNotifs: merged(old.pushNotifs, change.pushNotifs ?? {}),
  mailNotifs: merged(old.mailNotifs, change.mailNotifs ?? {}),
  profile: merged(old.profile, change.profile ?? {}),
});

const isEqual = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

const RENAME_MS = LIMITS.renameDays * 24 * 60 * 60 * 1_000;

/** Whether a person chose as many usernames lately as they may. */
const hasRenamedTooOften = ({ renamedAt }: Person, now: Instant): boolean => renamedAt.filter((at) => now - at < RENAME_MS).length >= LIMITS.renames;

const TOO_MANY_RENAMES = `You can change your username ${LIMITS.renames} times in ${LIMITS.renameDays} days.`;

function edited(edit: UserEdit, person: Person): readonly UserStreamEvent[] | Refusal {
  if (edit.completesProfile && person.profileCompletion !== 0) return refuse('profile.completed');
  if (edit.completesProfile && person.photo === null) return refuse('photo.required');
  const { uid, username, firstName, lastName } = person;
  const from: UserNames = { username, firstName, lastName };
  const to = merged(from, edit.names);
  if (to.username !== username && !edit.completesProfile && hasRenamedTooOften(person, edit.at)) {
    return refuse('throttled', { field: 'username', detail: TOO_MANY_RENAMES });
  }
  const info = merged(person.info, edit.info);
  const settings = mergedSettings(person.settings, edit.settings);
  const events: UserStreamEvent[] = [];
  if (!isEqual(from, to)) events.push({ type: 'UserRenamed', data: { uid, from, to } });
  if (!isEqual(person.info, info)) events.push({ type: 'UserInfoEdited', data: { uid, info } });
  if (!isEqual(person.settings, settings)) events.push({ type: 'UserSettingsEdited', data: { uid, settings } });
  if (edit.completesProfile) events.push({ type: 'UserProfileCompleted', data: { uid } });
  return events;
}

const systemRules: Rules<Pick<UserCommands, 'RegisterUser' | 'EraseUser'>, UserState, null, UserStreamEvent> = {
  RegisterUser: (data, { person, erased }) => (person === null && !erased ? [{ type: 'UserRegistered', data }] : []),
  EraseUser: (data, { person }) => (person === null ? [] : [{ type: 'UserErased', data }]),
};

/** Whether someone is connected: what they did last wins, unless the read model has seen it, and maybe a later invitation. */
const areConnected = ({ follows }: Person, { otherUid, known }: FollowData): boolean => {
  const own = Object.hasOwn(follows, otherUid) ? follows[otherUid] : undefined;
  return (own !== undefined && own.position > known.position ? own : known).isConnected;
};

const personalRules: Rules<Omit<UserCommands, 'RegisterUser' | 'EraseUser'>, UserState, Person, UserStreamEvent> = {
  EditUser: (edit, _state, person) => edited(edit, person),
  ChangePhoto: ({ photo }, _state, { uid, photo: from }) =>
    from === null && photo === null ? [] : [{ type: 'UserPhotoChanged', data: { uid, from, to: photo } }],
  ChangeCover: ({ cover }, _state, { uid, cover: from }) =>
    from === null && cover === null ? [] : [{ type: 'UserCoverChanged', data: { uid, from, to: cover } }],
  FollowUser(follow, _state, person) {
    const { uid } = person;
    if (follow.otherUid === uid) return refuse('connection.self');
    return areConnected(person, follow) ? [] : [{ type: 'UserFollowed', data: { uid, otherUid: follow.otherUid } }];
  },
  UnfollowUser: (follow, _state, person) =>
    areConnected(person, follow) ? [{ type: 'UserUnfollowed', data: { uid: person.uid, otherUid: follow.otherUid } }] : [],
  BlockUser({ otherUid }, _state, { uid, blocked }) {
    if (otherUid === uid) return refuse('block.self');
    return blocked.includes(otherUid) ? [] : [{ type: 'UserBlocked', data: { uid, otherUid } }];
  },
  UnblockUser: ({ otherUid }, _state, { uid, blocked }) => (blocked.includes(otherUid) ? [{ type: 'UserUnblocked', data: { uid, otherUid } }] : []),
};

type Rule<Who> = (data: UserCommand['data'], state: UserState, who: Who) => readonly UserStreamEvent[] | Refusal;

function decide(command: UserCommand, state: UserState, uid: string | null): readonly UserStreamEvent[] | Refusal {
  if (command.type === 'RegisterUser' || command.type === 'EraseUser') {
    return uid === null ? (systemRules[command.type] as Rule<null>)(command.data, state, null) : refuse('actor.mismatch');
  }
  const { person } = state;
  if (person === null) return refuse('user.not-found');
  if (uid !== person.uid) return refuse('actor.mismatch');
  return person.guest ? refuse('guest.read-only') : (personalRules[command.type] as Rule<Person>)(command.data, state, person);
}

const changed = ({ person, erased }: UserState, changes: (person: Person) => Partial<Person>): UserState => ({
  person: person === null ? null : { ...person, ...changes(person) },
  erased,
});

const followed = (
  state: UserState,
  { data: { otherUid }, position }: Stored<UserStreamEvent> & { readonly data: { readonly otherUid: Uid } },
  isConnected: boolean,
): UserState => changed(state, ({ follows }) => ({ follows: { ...follows, [otherUid]: { isConnected, position } } }));

const folds: Folds<UserEvents, UserState> = {
  UserRegistered: (_state, { data, meta }) => ({
    person: {
      ...data,
      dateAdded: meta.at,
      ...slugsAtFirst(data),
      info: NO_INFO,
      settings: DEFAULT_SETTINGS,
      photo: null,
      cover: null,
      renamedAt: [],
      profileCompletion: completionOf(data),
      follows: {},
      blocked: [],
    },
    erased: false,
  }),
  UserRenamed: (state, { data, meta }) =>
    changed(state, (person) => {
      const renamedAt = data.from.username === data.to.username ? person.renamedAt : [...person.renamedAt, meta.at].slice(-LIMITS.renames);
      return { ...data.to, ...slugsOnceRenamed(person, data), renamedAt };
    }),
  UserInfoEdited: (state, { data: { info } }) => changed(state, () => ({ info })),
  UserSettingsEdited: (state, { data: { settings } }) => changed(state, () => ({ settings })),
  UserPhotoChanged: (state, { data: { to } }) => changed(state, () => ({ photo: to })),
  UserCoverChanged: (state, { data: { to } }) => changed(state, () => ({ cover: to })),
  UserFollowed: (state, event) => followed(state, event, true),
  UserUnfollowed: (state, event) => followed(state, event, false),
  UserBlocked: (state, { data: { otherUid } }) => changed(state, ({ blocked }) => ({ blocked: [...blocked, otherUid] })),
  UserUnblocked: (state, { data: { otherUid } }) => changed(state, ({ blocked }) => ({ blocked: withoutIds(blocked, [otherUid]) })),
  UserProfileCompleted: (state) => changed(state, (person) => ({ profileCompletion: 1, renamedAt: [], ...slugsOnceComplete(person) })),
  UserErased: () => ({ person: null, erased: true }),
};

/** A user's stream, `user-<uid>`. The system registers users, once, and erases them, permanently; everything else they do themselves. */
export const userDecider: Decider<UserState, UserCommand, UserStreamEvent> = {
  name: 'user',
  initial: () => ({ person: null, erased: false }),
  evolve: (state, event) => (folds[event.type] as (state: UserState, event: Stored<UserStreamEvent>) => UserState)(state, event),
  decide: (command, state, { uid }) => decide(command, state, uid),
  sees: (state, actor) => (actor.uid === null || state.person === null || actor.uid === state.person.uid ? null : refuse('user.not-found')),
};
