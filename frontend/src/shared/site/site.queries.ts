import { INQUIRY_PATHS } from '@roughmix/contracts/inquiries/inquiry.paths.js';
import type { SiteAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client';

/** Facts about this installation, for everyone. */
export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => api.get<SiteAnswer>(INQUIRY_PATHS.site, { signal, allowsAnonymous: true }),
  staleTime: Number.POSITIVE_INFINITY,
});
