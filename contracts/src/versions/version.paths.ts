/** The paths of the versions' calls. */
export const VERSION_PATHS = {
  byIds: (ids: readonly string[]) => `/api/media/${ids.join(',')}`,
  lite: (ids: readonly string[]) => `/api/media/lite/${ids.join(',')}`,
  first: '/api/media/newProject',
  add: '/api/media',
  one: (versionId: string) => `/api/media/${versionId}`,
  confirm: (projectId: string) => `/api/projects/${projectId}/newVersion`,
  removeFiles: (versionIds: readonly string[]) => `/api/media/removeProject/${versionIds.join(',')}`,
} as const;
