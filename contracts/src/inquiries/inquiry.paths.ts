const withKey = (key: string): string => `/api/admin/${encodeURIComponent(key)}/inviteRequests`;

/** The paths of invite requests, contact messages and the site's facts. */
export const INQUIRY_PATHS = {
  inviteRequests: '/api/inviteRequests',
  contact: '/api/contact',
  site: '/api/site',
  staffInviteRequests: '/api/staff/inviteRequests',
  staffDecline: (id: string) => `/api/staff/inviteRequests/${id}/decline`,
  contactMessages: '/api/staff/contactMessages',
  inviteRequestsWithKey: withKey,
  declineWithKey: (key: string, id: string) => `${withKey(key)}/${id}/decline`,
  acceptWithKey: (key: string, id: string) => `${withKey(key)}/${id}/accept`,
} as const;
