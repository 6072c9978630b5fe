import type { Push } from '@roughmix/contracts/live.js';
import { sessionEnded } from '../api/client';
import { wasSentHere } from '../api/own-commands';
import { createBackoff, type Backoff } from './backoff';
import type { LiveSocket } from './connection';
import { enter } from './enter';
import { handle } from './handlers';
import { type Parts, setHere } from './parts';
import { moveOn } from './room';

/** How long a lost connection is not worth a word. */
const LOST_MS = 2_000;
/** Longer than an answer takes on a connection that lives. */
const ALIVE_MS = 4_000;
/** A connection that held so long was a good one. */
const GOOD_MS = 10_000;

/** Own changes are in the cache already, by the answer to the command; they only move the room on. */
function receive(parts: Parts, push: Push): void {
  const room = parts.rooms.get(push.projectId);
  if (!wasSentHere(push.commandId)) {
    const listeners = [...(parts.isNew(push) ? parts.listeners : []), ...(room?.isNew(push) === true ? room.listeners : [])];
    for (const handlers of listeners) handle(handlers, parts.cache, push);
  }
  if (room) moveOn(room, push.position);
}

function onConnect(parts: Parts, socket: LiveSocket, backoff: Backoff): void {
  const connection = socket.id;
  parts.state.set('online');
  socket.emit('login', {}, (answer) => {
    if (answer.ok) for (const room of parts.rooms.values()) void enter(parts, room);
    else if (answer.problem.code === 'auth.required') sessionEnded();
    else setTimeout(() => socket.connected && socket.id === connection && onConnect(parts, socket, backoff), backoff.next());
  });
}

/** Says a lost connection only when it stays away, and whether it is the network that is gone: then the socket itself notices late. */
function watchLoss(parts: Parts, socket: LiveSocket): { readonly lost: () => void; readonly found: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const found = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const tell = () => {
    timer = undefined;
    if (!navigator.onLine) parts.state.set('offline');
    else if (!socket.connected) parts.state.set('reconnecting');
  };
  return {
    lost: () => {
      const isNews = parts.state.get() === 'online' || parts.state.get() === 'connecting';
      timer ??= setTimeout(tell, isNews ? LOST_MS : 0);
    },
    found,
  };
}

/** After a sleep or another network a connection may be dead without knowing: one that does not answer is made anew. */
async function makeSure(socket: LiveSocket): Promise<void> {
  const connection = socket.id;
  const isAlive = await socket
    .timeout(ALIVE_MS)
    .emitWithAck('login', {})
    .then(
      () => true,
      () => false,
    );
  if (!isAlive && socket.id === connection) socket.io.engine.close();
}

/** Comes back where socket.io does not on its own: after the server ended the connection or refused it. A page nobody looks at waits until somebody does. */
function comeBack(parts: Parts, socket: LiveSocket, backoff: Backoff): void {
  if (document.visibilityState === 'hidden') return;
  setTimeout(() => parts.socket === socket && !socket.active && socket.connect(), backoff.next());
}

function hear(parts: Parts, socket: LiveSocket, loss: ReturnType<typeof watchLoss>): void {
  const backoff = createBackoff();
  let connectedAt = 0;
  socket.on('connect', () => {
    connectedAt = Date.now();
    loss.found();
    onConnect(parts, socket, backoff);
  });
  socket.on('disconnect', (reason) => {
    if (Date.now() - connectedAt > GOOD_MS) backoff.reset();
    for (const room of parts.rooms.values()) room.isEntered = false;
    loss.lost();
    if (reason === 'io server disconnect') comeBack(parts, socket, backoff);
  });
  socket.on('connect_error', (error) => {
    if (error.message === 'auth.required') return sessionEnded();
    loss.lost();
    if (!socket.active) comeBack(parts, socket, backoff);
  });
  for (const channel of ['projects', 'media', 'regions', 'comments'] as const) socket.on(channel, (push: Push) => receive(parts, push));
  socket.on('currentUsers', ({ projectId, users }) => {
    const room = parts.rooms.get(projectId);
    if (!room) return;
    room.isHereTold = true;
    setHere(parts, projectId, users);
  });
}

/** Connects a socket with the tab, and watches over it; answers how to end it. */
export function wire(parts: Parts, socket: LiveSocket): () => void {
  const loss = watchLoss(parts, socket);
  hear(parts, socket, loss);
  const back = () => {
    loss.found();
    if (socket.connected) {
      parts.state.set('online');
      void makeSure(socket);
    } else if (!socket.active) socket.connect();
  };
  const seen = () => document.visibilityState === 'visible' && back();
  const networkBack = () => {
    if (parts.state.get() === 'offline') parts.state.set('reconnecting');
    // It would wait out the time to its next try, though nothing stands in its way any more.
    if (!socket.connected && socket.active) socket.disconnect();
    back();
  };
  window.addEventListener('offline', loss.lost);
  window.addEventListener('online', networkBack);
  window.addEventListener('pageshow', seen);
  document.addEventListener('visibilitychange', seen);
  return () => {
    loss.found();
    window.removeEventListener('offline', loss.lost);
    window.removeEventListener('online', networkBack);
    window.removeEventListener('pageshow', seen);
    document.removeEventListener('visibilitychange', seen);
    socket.disconnect();
  };
}
