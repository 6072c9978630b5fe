/** The paths of the notifications' calls. */
export const NOTIFICATION_PATHS = {
  list: (uid: string) => `/api/notifications/${uid}`,
  markAsRead: '/api/notifications/markAsRead',
  dismissAll: '/api/notifications/dismissAll',
} as const;
