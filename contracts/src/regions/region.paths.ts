/** The paths of the regions' calls. */
export const REGION_PATHS = {
  byIds: (ids: readonly string[]) => `/api/regions/${ids.join(',')}`,
  add: '/api/regions',
  one: (regionId: string) => `/api/regions/${regionId}`,
  tag: '/api/taggedRegions/insertPostId',
  untag: '/api/taggedRegions/removePostId',
  untagPost: '/api/taggedRegions/removeTaggedRegion',
  tagChild: (regionId: string) => `/api/taggedRegions/appendChildRegionTags/${regionId}`,
  revertToParent: (regionId: string) => `/api/taggedRegions/removeChildRegionTags/${regionId}`,
} as const;
