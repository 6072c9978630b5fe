import type { Ack, InProjectAnswer } from '@roughmix/contracts/live.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { Problem } from '@roughmix/contracts/shared/problems.js';
import type { QueryClient } from '@tanstack/react-query';
import type { LiveSocket } from './connection';
import { type Parts, setHere } from './parts';
import { entered, type Room } from './room';

const ACK_MS = 10_000;
const AGAIN_MS = 2_000;

const queriesOf = (cache: QueryClient, projectId: Id): Promise<void> => cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(projectId) });

/** A refusal that another try may change. */
const mayChange = ({ status }: Problem): boolean => status === 429 || status >= 500;

/** Goes into a project's room from where its messages were handled up to. Each new connection enters every room anew. */
export async function enter(parts: Parts, room: Room): Promise<void> {
  const { socket } = parts;
  const isStill = stillOn(parts, room, socket);
  if (socket === null || !isStill()) return;
  room.isEntered = false;
  room.isHereTold = false;
  const { projectId, handledUpTo: knownBefore } = room;
  const body = { projectId, ...(knownBefore === undefined ? {} : { after: knownBefore }), ...(parts.log === null ? {} : { log: parts.log }) };
  const answer = await askAgain(() => socket.timeout(ACK_MS).emitWithAck('in-project', body), isStill);
  if (answer === null || !isStill()) return;
  if (!answer.ok) return void queriesOf(parts.cache, projectId);
  // A backup was restored: nothing that this page holds is true any more, and its positions mean nothing.
  if (parts.log !== null && parts.log !== answer.log) return parts.reloadPage();
  parts.log = answer.log;
  entered(room, answer.position);
  if (!room.isHereTold) setHere(parts, projectId, answer.users);
  if (answer.reload === true || knownBefore === undefined) await queriesOf(parts.cache, projectId);
}

/** Whether this room is still wanted on the same connection: a socket is used again for the next one. */
function stillOn(parts: Parts, room: Room, socket: LiveSocket | null): () => boolean {
  const connection = socket?.id;
  return () => socket?.connected === true && socket.id === connection && parts.socket === socket && parts.rooms.get(room.projectId) === room;
}

/** Asks until an answer comes that will not change, or nobody waits for it any more. */
async function askAgain(ask: () => Promise<Ack<InProjectAnswer>>, isStill: () => boolean): Promise<Ack<InProjectAnswer> | null> {
  while (isStill()) {
    const answer = await ask().catch(() => null); // no answer in time counts as none
    if (answer !== null && (answer.ok || !mayChange(answer.problem))) return answer;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  return null;
}
