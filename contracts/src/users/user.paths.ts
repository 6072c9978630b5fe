/** The hidden page on which accounts are made. Its address is printed for the operator, and linked nowhere. */
export const REGISTER_PAGE = '/rwmsl9j7-register';

/** The paths of the users' calls. */
export const USER_PATHS = {
  login: '/api/auth/login',
  guest: '/api/auth/guest',
  logout: '/api/auth/logout',
  session: '/api/auth/session',
  self: (uid: string) => `/api/users/auth/${uid}`,
  search: (q: string) => `/api/users/search?q=${encodeURIComponent(q)}`,
  projectUsers: (uid: string, projectId: string) => `/api/users/${uid}/fetchProjectUsers?projectId=${projectId}`,
  user: (uid: string) => `/api/users/${uid}`,
  photo: (uid: string) => `/api/users/${uid}/photo`,
  /** A stored picture of a user; the name changes with the picture. */
  image: (uid: string, file: string) => `/api/users/${uid}/images/${file}`,
  cover: (uid: string) => `/api/users/${uid}/cover`,
  password: '/api/auth/password',
  passwordReset: '/api/auth/passwordReset',
  passwordResetWith: (token: string) => `/api/auth/passwordReset/${token}`,
  invite: (token: string) => `/api/auth/invite/${token}`,
  firstAccount: '/api/auth/firstAccount',
  sessions: '/api/auth/sessions',
  deviceSession: (id: string) => `/api/auth/sessions/${id}`,
  visit: '/api/auth/visit',
  addUser: (key: string) => `/api/admin/${encodeURIComponent(key)}/users/addUser`,
  removeUser: (key: string) => `/api/admin/${encodeURIComponent(key)}/users/removeUser`,
  getUserInfo: (key: string) => `/api/admin/${encodeURIComponent(key)}/users/getUserInfo`,
  staffRole: (key: string, uid: string) => `/api/admin/${encodeURIComponent(key)}/users/${uid}/staffRole`,
  accounts: '/api/staff/accounts',
} as const;
