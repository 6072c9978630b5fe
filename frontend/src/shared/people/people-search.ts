import { PROFILE_PATHS } from '@roughmix/contracts/profiles/profile.paths.js';
import type { ConnectionsAnswer } from '@roughmix/contracts/profiles/profile.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { fullName, type PersonView, type UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api/client';
import { useSession } from '../session/session-provider';

const IDLE_MS = 200;

/** Key prefix of what finds people. */
export const PEOPLE_KEY = ['people'] as const;

/** A user's connections, by name. */
export const connectionsOf = (uid: Uid) =>
  queryOptions({
    queryKey: [...PEOPLE_KEY, 'connections', uid],
    queryFn: async ({ signal }): Promise<readonly PersonView[]> => (await api.get<ConnectionsAnswer>(PROFILE_PATHS.connections(uid), { signal })).connections,
  });

const peopleFound = (words: string) =>
  queryOptions({
    queryKey: [...PEOPLE_KEY, 'found', words],
    queryFn: async ({ signal }): Promise<readonly PersonView[]> => (await api.get<UsersAnswer>(USER_PATHS.search(words), { signal })).users,
    placeholderData: keepPreviousData,
  });

/** Debounces a value. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), IDLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

const comparable = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Whether a name, or a word in it, starts with these words. */
function isNamed(person: PersonView, words: string): boolean {
  const names = [person.username, fullName(person)].map(comparable);
  return names.some((name) => name.startsWith(words) || name.includes(` ${words}`));
}

/** The user's connections whose names match; all of them while nothing is typed. */
export function useConnections(typed: string): readonly PersonView[] {
  const { user } = useSession();
  const { data = [] } = useQuery({ ...connectionsOf(user?.uid ?? ''), enabled: user !== null && !user.isGuest });
  const words = comparable(typed.trim());
  return words === '' ? data : data.filter((person) => isNamed(person, words));
}

/** Searches people by name or username, from two letters on; `isCurrent` is false while the results are for an earlier text. */
export function usePeopleSearch(typed: string) {
  const words = useSettled(typed.trim());
  const isLongEnough = words.length >= LIMITS.searchMin && words.length <= LIMITS.search;
  const { data, error, isFetching, isPlaceholderData } = useQuery({ ...peopleFound(words), enabled: isLongEnough });
  const isCurrent = words === typed.trim() && !isPlaceholderData;
  return { people: isLongEnough ? (data ?? []) : [], isCurrent, error, isFetching, isLongEnough };
}
