import type { Ack } from '@roughmix/contracts/live.js';
import type { Problem } from '@roughmix/contracts/shared/problems.js';
import { createBackoff } from './backoff';
import { type LiveParts, setPresence } from './live-parts';
import { markEntered, type Room } from './room';
import { type Entered, TOPIC_KINDS } from './topic-kinds';
import { topicKey } from './topics';

const ACK_TIMEOUT_MS = 10_000;

/** A refusal that a retry may not meet again. */
const isTransient = ({ status }: Problem): boolean => status === 429 || status >= 500;

/** Refetches a topic, and notifies its subscribers, and those that listen to every topic, that pushes were missed. */
function refetchMissed(parts: LiveParts, { topic, subscribers }: Room): void {
  TOPIC_KINDS[topic.kind].refetch?.(parts.cache, topic.id);
  for (const { onMissed } of [...subscribers, ...parts.listeners]) onMissed?.(parts.cache);
}

/**
 * Enters the room of a topic, catching up from the position up to which its pushes were handled. Each new connection enters every room again.
 * @returns the final ack; null if the room or the connection is no longer wanted
 */
export async function enterRoom(parts: LiveParts, room: Room): Promise<Ack<Entered> | null> {
  const { topic, handledUpTo } = room;
  const { refetch } = TOPIC_KINDS[topic.kind];
  room.isEntered = false;
  room.isPresenceFresh = false;
  const answer = await askUntilFinal(parts, room);
  if (answer === null) return null;
  if (!answer.ok) {
    refetch?.(parts.cache, topic.id);
    return answer;
  }
  if (answer.log !== undefined) {
    // A backup was restored: everything on this page is outdated, and its positions are meaningless in the new log.
    if (parts.log !== null && parts.log !== answer.log) {
      parts.reloadPage();
      return null;
    }
    parts.log = answer.log;
  }
  // A server whose ack contains no log has no catch-up for this room, so the position in its ack must not be sent back.
  markEntered(room, answer.log === undefined ? undefined : answer.position);
  if (answer.users !== undefined && !room.isPresenceFresh) setPresence(parts, topic, answer.users);
  if (answer.reload === true) refetchMissed(parts, room);
  else if (handledUpTo === undefined) refetch?.(parts.cache, topic.id);
  return answer;
}

/** Asks until the server admits the tab or refuses for good. @returns null once the room or the connection is no longer wanted */
async function askUntilFinal(parts: LiveParts, room: Room): Promise<Ack<Entered> | null> {
  const { socket, log } = parts;
  if (socket === null) return null;
  const { topic, handledUpTo } = room;
  const from = handledUpTo === undefined ? {} : { after: handledUpTo, ...(log === null ? {} : { log }) };
  const backoff = createBackoff();
  // The socket object outlives its connections, so a connection is recognised by its id.
  const connection = socket.id;
  const isWanted = () => socket.connected && socket.id === connection && parts.socket === socket && parts.rooms.get(topicKey(topic)) === room;
  while (isWanted()) {
    const answer = await TOPIC_KINDS[topic.kind].enter(socket.timeout(ACK_TIMEOUT_MS), topic.id, from).catch(() => null); // a timeout counts as no answer
    if (answer !== null && (answer.ok || !isTransient(answer.problem))) return isWanted() ? answer : null;
    await new Promise((resolve) => setTimeout(resolve, backoff.next()));
  }
  return null;
}
