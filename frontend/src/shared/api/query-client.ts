import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './api-errors';

const FRESH_MS = 30_000;

/** Only what may work the next time is asked again: no answer, or a store that is away. */
const mayWorkNextTime = (error: Error): boolean => !(error instanceof ApiProblem) || error.problem.status >= 500;

/** The page's cache. Live messages keep it fresh, so that it asks anew when somebody comes back to a page, not at every focus. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: FRESH_MS, refetchOnWindowFocus: false, networkMode: 'always', retry: (failures, error) => failures < 2 && mayWorkNextTime(error) },
      mutations: { networkMode: 'always' },
    },
  });
