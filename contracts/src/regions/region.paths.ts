/** The paths of the regions' calls. */
export const REGION_PATHS = {
  byIds: (ids: readonly string[]) => `/api/regions/${ids.join(',')}`,
  add: '/api/regions',
  one: (regionId: string) => `/api/regions/${regionId}`,
} as const;
