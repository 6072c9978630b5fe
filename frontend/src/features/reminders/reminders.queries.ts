import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { TODO_PATHS } from '@roughmix/contracts/todos/todo.paths.js';
import type { TodoRemindersAnswer } from '@roughmix/contracts/todos/todo.view.js';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/client';

const REFRESH_MS = 60_000;

/** What is due in all of a user's projects. No room pushes the todos of all projects, so the page asks again each minute. */
export const remindersOf = (uid: Uid) =>
  queryOptions({
    queryKey: ['reminders', uid],
    queryFn: async ({ signal }) => (await api.send<TodoRemindersAnswer>('POST', TODO_PATHS.reminders, {}, { signal })).answer,
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  });
