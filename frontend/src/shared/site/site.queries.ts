import { INQUIRY_PATHS } from '@roughmix/contracts/inquiries/inquiry.paths.js';
import type { SiteAnswer, SiteLimits } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/client';

/** Facts about this installation, for everyone. */
export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => api.get<SiteAnswer>(INQUIRY_PATHS.site, { signal, allowsAnonymous: true }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Undefined until they are known: nothing is refused before that, and the server decides. */
export const useSiteLimits = (): SiteLimits | undefined => useQuery(siteQuery).data?.limits;
