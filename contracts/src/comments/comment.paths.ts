/** The paths of the comments' calls. */
export const COMMENT_PATHS = {
  byIds: (ids: readonly string[]) => `/api/comments/${ids.join(',')}`,
  add: '/api/comments',
  one: (commentId: string) => `/api/comments/${commentId}`,
  reply: (commentId: string) => `/api/comments/${commentId}/reply`,
  rating: (commentId: string) => `/api/comments/${commentId}/rating`,
} as const;
