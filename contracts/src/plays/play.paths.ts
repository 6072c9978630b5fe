export const PLAY_PATHS = {
  ofVersion: (versionId: string) => `/api/media/${versionId}/plays`,
} as const;
