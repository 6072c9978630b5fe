import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { PersonView, UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api/client';

const IDLE_MS = 200;

const peopleFound = (words: string) =>
  queryOptions({
    queryKey: ['people', words],
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

/** Searches people by name or username, from two letters on; `isCurrent` is false while the results are for an earlier text. */
export function usePeopleSearch(typed: string) {
  const words = useSettled(typed.trim());
  const isLongEnough = words.length >= LIMITS.searchMin && words.length <= LIMITS.search;
  const { data, error, isFetching, isPlaceholderData } = useQuery({ ...peopleFound(words), enabled: isLongEnough });
  const isCurrent = words === typed.trim() && !isPlaceholderData;
  return { people: isLongEnough ? (data ?? []) : [], isCurrent, error, isFetching, isLongEnough };
}
