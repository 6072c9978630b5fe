/** The paths of the users' calls. */
export const USER_PATHS = {
  login: '/api/auth/login',
  guest: '/api/auth/guest',
  logout: '/api/auth/logout',
  session: '/api/auth/session',
  self: (uid: string) => `/api/users/auth/${uid}`,
  search: (q: string) => `/api/users/search?q=${encodeURIComponent(q)}`,
  projectUsers: (uid: string, projectId: string) => `/api/users/${uid}/fetchProjectUsers?projectId=${projectId}`,
  photo: (uid: string) => `/api/users/${uid}/photo`,
} as const;
