import { sessionEnded } from '../api/client';
import { createBackoff, type Backoff } from './backoff';
import type { LiveSocket } from './connection';
import { type ConnectionLoss, watchLoss } from './connection-loss';
import { enterRoom } from './enter-room';
import { type LiveParts, setPresence } from './live-parts';
import { listenOn } from './receive-push';
import { completeUpTo, type Room } from './room';
import { TOPIC_KINDS } from './topic-kinds';
import { type TopicKind, topicKey } from './topics';

/** Longer than an answer takes on a working connection. */
const ALIVE_TIMEOUT_MS = 4_000;
/** A connection that held this long was a good one: the backoff starts over. */
const STABLE_MS = 10_000;

/** Logs in, which enters the user's own room, then enters all other rooms. */
async function enterRooms(parts: LiveParts, userRoom: Room, backoff: Backoff): Promise<void> {
  const { socket } = parts;
  const connection = socket?.id;
  const answer = await enterRoom(parts, userRoom);
  if (answer === null) return;
  if (answer.ok) {
    const others = [...parts.rooms.values()].filter((room) => room !== userRoom);
    for (const room of others) void enterRoom(parts, room);
    return;
  }
  if (answer.problem.code === 'auth.required') return sessionEnded();
  // After a rollback, an older server without catch-up for this room refuses `after`. Retry with a plain login, which every server accepts.
  userRoom.handledUpTo = undefined;
  setTimeout(() => socket?.connected && socket.id === connection && void enterRooms(parts, userRoom, backoff), backoff.next());
}

/** After a sleep or a change of network, a connection may be dead although it still looks open. One that does not answer is replaced. */
async function checkAlive(socket: LiveSocket, userRoom: Room): Promise<void> {
  const connection = socket.id;
  const answer = await TOPIC_KINDS.user.enter(socket.timeout(ALIVE_TIMEOUT_MS), userRoom.topic.id, {}).catch(() => null);
  if (socket.id !== connection) return;
  if (answer === null) socket.io.engine.close();
  else if (answer.ok) completeUpTo(userRoom, answer.position);
}

/** Reconnects where socket.io does not by itself: after the server closed the connection or refused it. A hidden page waits until it is shown. */
function reconnect(parts: LiveParts, socket: LiveSocket, backoff: Backoff): void {
  if (document.visibilityState === 'hidden') return;
  setTimeout(() => parts.socket === socket && !socket.active && socket.connect(), backoff.next());
}

function bindPresence(parts: LiveParts, socket: LiveSocket): void {
  for (const kind of Object.keys(TOPIC_KINDS) as TopicKind[])
    TOPIC_KINDS[kind].onPresence?.(socket, (id, users) => {
      const topic = { kind, id };
      const room = parts.rooms.get(topicKey(topic));
      if (!room) return;
      room.isPresenceFresh = true;
      setPresence(parts, topic, users);
    });
}

function bindEvents(parts: LiveParts, socket: LiveSocket, userRoom: Room, loss: ConnectionLoss): void {
  const backoff = createBackoff();
  let connectedAt = 0;
  socket.on('connect', () => {
    connectedAt = Date.now();
    loss.markConnected();
    parts.state.set('online');
    void enterRooms(parts, userRoom, backoff);
  });
  socket.on('disconnect', (reason) => {
    if (Date.now() - connectedAt > STABLE_MS) backoff.reset();
    for (const room of parts.rooms.values()) room.isEntered = false;
    loss.markLost();
    if (reason === 'io server disconnect') reconnect(parts, socket, backoff);
  });
  socket.on('connect_error', (error) => {
    if (error.message === 'auth.required') return sessionEnded();
    loss.markLost();
    if (!socket.active) reconnect(parts, socket, backoff);
  });
  for (const channel of parts.channels.values()) listenOn(parts, socket, channel);
  bindPresence(parts, socket);
}

/** Attaches a socket to the tab and keeps it connected. @returns a function that detaches and disconnects it */
export function attachSocket(parts: LiveParts, socket: LiveSocket, userRoom: Room): () => void {
  const loss = watchLoss(parts, socket);
  bindEvents(parts, socket, userRoom, loss);
  const resume = () => {
    loss.markConnected();
    if (socket.connected) {
      parts.state.set('online');
      void checkAlive(socket, userRoom);
    } else if (!socket.active) socket.connect();
  };
  const onShown = () => document.visibilityState === 'visible' && resume();
  const onNetwork = () => {
    if (parts.state.get() === 'offline') parts.state.set('reconnecting');
    // Reconnect now instead of waiting for socket.io's next try.
    if (!socket.connected && socket.active) socket.disconnect();
    resume();
  };
  window.addEventListener('offline', loss.markLost);
  window.addEventListener('online', onNetwork);
  window.addEventListener('pageshow', onShown);
  document.addEventListener('visibilitychange', onShown);
  return () => {
    loss.markConnected();
    window.removeEventListener('offline', loss.markLost);
    window.removeEventListener('online', onNetwork);
    window.removeEventListener('pageshow', onShown);
    document.removeEventListener('visibilitychange', onShown);
    socket.disconnect();
  };
}
