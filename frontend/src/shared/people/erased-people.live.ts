import { mention } from '@roughmix/contracts/shared/mentions.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { REMOVED_USER } from '@roughmix/contracts/users/user.view.js';
import type { QueryClient } from '@tanstack/react-query';
import { ownChannel } from '../live/channels';
import type { LiveSubscriber } from '../live/handlers';
import { sessionQuery } from '../session/session-query';
import { PEOPLE_KEY } from './people-search';

type Fields = Readonly<Record<string, unknown>>;

/** Peaks and other bytes contain nobody's name. */
const isPlain = (value: unknown): value is Fields => typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A view of this person, wherever it is nested. */
const isOf = (uid: Uid, value: Fields): value is Fields & { readonly username: string } => value.uid === uid && typeof value.username === 'string';

/** The usernames under which cached views know a person: their mentions contain it. */
function namesIn(value: unknown, uid: Uid): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((member) => namesIn(member, uid));
  if (!isPlain(value)) return [];
  const own = isOf(uid, value) ? [value.username] : [];
  return [...own, ...Object.values(value).flatMap((member) => namesIn(member, uid))];
}

interface Erasure {
  readonly uid: Uid;
  readonly mentions: readonly string[];
}

function removed(person: Fields, uid: Uid): Fields {
  const photo = USER_PATHS.photo(uid);
  const nameless = { ...person, username: REMOVED_USER, firstName: '', lastName: '', smallPhoto: photo, largePhoto: photo, photoURL: photo };
  return 'name' in person ? { ...nameless, name: REMOVED_USER } : nameless;
}

/** A cached value without the person's name; what does not contain it stays the same object. */
function withoutName(value: unknown, erasure: Erasure): unknown {
  if (typeof value === 'string') return erasure.mentions.reduce((text, old) => text.replaceAll(old, mention(REMOVED_USER)), value);
  if (Array.isArray(value)) {
    const members: readonly unknown[] = value;
    const changed = members.map((member) => withoutName(member, erasure));
    return changed.some((member, at) => member !== members[at]) ? changed : value;
  }
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, withoutName(member, erasure)] as const);
  const fields = entries.some(([name, member]) => member !== value[name]) ? Object.fromEntries(entries) : value;
  return isOf(erasure.uid, value) ? removed(fields, erasure.uid) : fields;
}

/** Replaces an erased person's name and face in everything that is cached, so that open pages stop showing them at once. */
export function forgetPerson(cache: QueryClient, uid: Uid): void {
  const queries = cache.getQueryCache().getAll();
  const names = new Set(queries.flatMap(({ state }) => namesIn(state.data, uid)));
  const erasure = { uid, mentions: [...names].map(mention) };
  for (const { queryKey, state } of queries) {
    const data = withoutName(state.data, erasure);
    if (data !== state.data) cache.setQueryData(queryKey, data, { updatedAt: state.dataUpdatedAt });
  }
  cache.setQueryData(sessionQuery.queryKey, (session) => {
    if (!session) return session;
    const { user } = session;
    if (!Object.hasOwn(user.connections, uid) && !user.blocked.includes(uid)) return session;
    const { [uid]: _erased, ...connections } = user.connections;
    const blocked = user.blocked.filter((other) => other !== uid);
    return { ...session, user: { ...user, connections, blocked } };
  });
  void cache.invalidateQueries({ queryKey: PEOPLE_KEY });
}

/** Erased people leave every open page. */
export const erasedPeopleLive: LiveSubscriber = {
  channels: [ownChannel('users')],
  handlers: { UserErased: (cache, { ids }) => ids.forEach((uid) => forgetPerson(cache, uid)) },
};
