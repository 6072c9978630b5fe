import { INQUIRY_PATHS } from '@roughmix/contracts/inquiries/inquiry.paths.js';
import type { ContactMessagesAnswer, InviteRequestsAnswer, InviteRequestState } from '@roughmix/contracts/inquiries/inquiry.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../../shared/api/client';

/** Who lists the requests: a signed-in admin, or the key. `opening` tells apart one use of a key from the next without naming it. */
export type RequestsFrom = { readonly by: 'role' } | { readonly by: 'key'; readonly key: string; readonly opening: string };

export const INVITE_REQUESTS_KEY = ['inviteRequests'] as const;

const pathOf = (from: RequestsFrom): string => (from.by === 'role' ? INQUIRY_PATHS.staffInviteRequests : INQUIRY_PATHS.inviteRequestsWithKey(from.key));

const page = (before: string | null): string => (before === null ? '' : `&before=${encodeURIComponent(before)}`);

/** Invite requests in a state, newest first; forgotten when the page is left. */
export const inviteRequestsOf = (from: RequestsFrom, state: InviteRequestState) =>
  infiniteQueryOptions({
    queryKey: [...INVITE_REQUESTS_KEY, from.by === 'role' ? 'role' : from.opening, state],
    queryFn: ({ pageParam, signal }) => api.get<InviteRequestsAnswer>(`${pathOf(from)}?state=${state}${page(pageParam)}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    gcTime: 0,
    staleTime: 0,
  });

/** Messages from the contact form, newest first. */
export const contactMessagesQuery = infiniteQueryOptions({
  queryKey: ['contactMessages'],
  queryFn: ({ pageParam, signal }) => api.get<ContactMessagesAnswer>(`${INQUIRY_PATHS.contactMessages}?limit=50${page(pageParam)}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  gcTime: 0,
  staleTime: 0,
});

export const declineRequest = (from: RequestsFrom, id: Id) =>
  api.send('POST', from.by === 'role' ? INQUIRY_PATHS.staffDecline(id) : INQUIRY_PATHS.declineWithKey(from.key, id), {}, { retries: 0 });

/** Creates the account and e-mails the invite; again for an accepted request, the e-mail alone. */
export const acceptRequest = async (key: string, id: Id) =>
  (await api.send<UserAddedAnswer>('POST', INQUIRY_PATHS.acceptWithKey(key, id), {}, { retries: 0 })).answer;
