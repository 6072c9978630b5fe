/** The paths of the projects' calls. */
export const PROJECT_PATHS = {
  list: (uid: string) => `/api/projects/${uid}`,
  one: (ownerUid: string, projectId: string) => `/api/projects/${ownerUid}/${projectId}`,
  page: (projectId: string, uid: string) => `/api/projects/${projectId}/visitor/${uid}`,
  create: '/api/projects/newProject',
  edit: (projectId: string) => `/api/projects/${projectId}`,
  invite: (ownerUid: string, projectId: string) => `/api/projects/${ownerUid}/inviteUsers/${projectId}`,
  editPermissions: (ownerUid: string, projectId: string) => `/api/projects/${ownerUid}/editPermissions/${projectId}`,
  takeOver: (projectId: string) => `/api/projects/${projectId}/takeOver`,
  leave: (projectId: string) => `/api/projects/${projectId}/leave`,
  remove: (projectId: string) => `/api/projects/removeProject/${projectId}`,
} as const;
