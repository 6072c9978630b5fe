/** The path of the tutorial's call. */
export const TUTORIAL_PATHS = {
  initializeContent: (key: string) => `/api/admin/${encodeURIComponent(key)}/initializeContent`,
} as const;
