/** The paths of the collections' calls. */
export const COLLECTION_PATHS = {
  list: (uid: string) => `/api/collections/${uid}`,
  one: (uid: string, collectionId: string) => `/api/collections/${uid}/${collectionId}`,
  takeOutProject: (projectId: string) => `/api/collections/removeProject/${projectId}`,
} as const;
