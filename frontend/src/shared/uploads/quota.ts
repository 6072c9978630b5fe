import type { QuotaView } from '@roughmix/contracts/quotas/quota.view.js';
import { detailWith } from '@roughmix/contracts/shared/problems.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/client';

const FRESH_MS = 10_000;

/** What the user may still add; null for the guest. It is not pushed, so it is fetched whenever it is shown. */
export const quotaQuery = queryOptions({
  queryKey: ['quota'],
  queryFn: async ({ signal }): Promise<QuotaView | null> => (await api.get<SessionAnswer>(USER_PATHS.session, { signal })).quota ?? null,
  staleTime: FRESH_MS,
});

/** Undefined until it is known: nothing is refused before that, and the server decides. */
export const useQuota = (): QuotaView | undefined => useQuery(quotaQuery).data ?? undefined;

/** Why this many bytes more are too many; null if they are not. */
export const bytesProblem = (quota: QuotaView | undefined, size: number): string | null =>
  quota !== undefined && quota.bytes.used + size > quota.bytes.limit ? detailWith('quota.bytes', quota.bytes.limit) : null;

/** Why the user may create no further project; null if they may. */
export const projectProblem = (quota: QuotaView | undefined): string | null =>
  quota !== undefined && quota.projects.used >= quota.projects.limit ? detailWith('quota.projects', quota.projects.limit) : null;

/** Why a project with so many versions gets no further one; null if it does. */
export const versionProblem = (quota: QuotaView | undefined, versions: number): string | null =>
  quota !== undefined && versions >= quota.versionsPerProject ? detailWith('quota.versions', quota.versionsPerProject) : null;
