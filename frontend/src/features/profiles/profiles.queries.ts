import { PROFILE_PATHS } from '@roughmix/contracts/profiles/profile.paths.js';
import type { ProfilePageAnswer } from '@roughmix/contracts/profiles/profile.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/client';

/** Key prefix of all profiles. */
export const PROFILES_KEY = ['profiles'] as const;

/** A profile as its viewer sees it. @param href the page's path @param viewer null without a session */
export const profileAt = (href: string, viewer: Uid | null) =>
  queryOptions({
    queryKey: [...PROFILES_KEY, viewer, href],
    queryFn: ({ signal }): Promise<ProfilePageAnswer> => api.get<ProfilePageAnswer>(PROFILE_PATHS.page(href), { signal, allowsAnonymous: viewer === null }),
  });
