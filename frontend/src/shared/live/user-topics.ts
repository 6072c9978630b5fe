import type { TopicKindRules } from './topic-kinds';

/** The signed-in user: `login` enters the room for as long as the connection lasts. */
export const userTopics: TopicKindRules = {
  isOrdered: false,
  enter: (socket, _uid, from) => socket.emitWithAck('login', from),
};
