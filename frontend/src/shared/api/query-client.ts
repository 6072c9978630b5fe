import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './api-errors';

const FRESH_MS = 30_000;

/** Retry only without a response or on server errors. */
const isRetryable = (error: Error): boolean => !(error instanceof ApiProblem) || error.problem.status >= 500;

/** The page's cache. Pushes keep it current, so it refetches when a page is revisited, but not on window focus. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: FRESH_MS, refetchOnWindowFocus: false, networkMode: 'always', retry: (failures, error) => failures < 2 && isRetryable(error) },
      mutations: { networkMode: 'always' },
    },
  });
