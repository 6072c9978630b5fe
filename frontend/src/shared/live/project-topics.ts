import type { TopicKindRules } from './topic-kinds';

/** Projects: members and visitors enter through the same message, and the room shows who else is looking at the project. */
export const projectTopics: TopicKindRules = {
  isOrdered: true,
  enter: (socket, projectId, from) => socket.emitWithAck('in-project', { projectId, ...from }),
  leave: (socket, projectId) => void socket.emit('left-project', { projectId }, () => undefined),
  refetch: (cache, projectId) => void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(projectId) }),
  onPresence: (socket, report) => void socket.on('currentUsers', ({ projectId, users }) => report(projectId, users)),
};
