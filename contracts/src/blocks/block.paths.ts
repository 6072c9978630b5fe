/** The paths of the people whom a user blocks. */
export const BLOCK_PATHS = {
  list: (uid: string) => `/api/users/${uid}/blocked`,
  one: (uid: string, otherUid: string) => `/api/users/${uid}/blocked/${otherUid}`,
} as const;
