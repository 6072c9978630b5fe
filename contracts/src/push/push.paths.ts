/** The paths of the calls for push messages. */
export const PUSH_PATHS = {
  key: '/api/push/key',
  subscriptions: '/api/push/subscriptions',
} as const;
