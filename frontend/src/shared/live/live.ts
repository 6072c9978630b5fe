import type { Ack, CurrentUsers, InProjectAnswer, Push } from '@roughmix/contracts/live.js';
import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { Problem } from '@roughmix/contracts/shared/problems.js';
import type { QueryClient } from '@tanstack/react-query';
import { addressOf, sessionEnded } from '../api/client';
import { wasSentHere } from '../api/own-commands';
import type { LiveSocket } from './connection';
import { handle, type LiveHandlers } from './handlers';
import { createRoom, moveOn, type Room } from './room';
import { createStore, type HereByProject, type LiveState, type Store } from './stores';

const ACK_MS = 10_000;
const AGAIN_MS = 2_000;
/** How long a lost connection is not worth a word. */
const LOST_MS = 2_000;

/** The live connection of this tab. */
export interface Live {
  readonly state: Store<LiveState>;
  readonly here: Store<HereByProject>;
  /** Begins when somebody is signed in; answers how to end it. */
  readonly start: () => () => void;
  /** Takes part in a project from `after` on (what was missed since comes first); answers how to leave. */
  readonly join: (projectId: Id, handlers: LiveHandlers, after?: Position) => () => void;
  /** Hears every message, of whatever project; answers how to stop. */
  readonly listen: (handlers: LiveHandlers) => () => void;
}

interface Parts {
  readonly cache: QueryClient;
  readonly state: Store<LiveState>;
  readonly here: Store<HereByProject>;
  readonly rooms: Map<Id, Room>;
  readonly listeners: Set<LiveHandlers>;
  socket: LiveSocket | null;
  /** The log that every position known here belongs to, once the server named it. */
  log: string | null;
  readonly reloadPage: () => void;
}

const queriesOf = (cache: QueryClient, projectId: Id): Promise<void> => cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(projectId) });

function setHere(parts: Parts, projectId: Id, users: CurrentUsers['users'] | null): void {
  const next = new Map(parts.here.get());
  if (users === null) next.delete(projectId);
  else next.set(projectId, users);
  parts.here.set(next);
}

/** Own changes are in the cache already, by the answer to the command; they only move the room on. */
function receive(parts: Parts, push: Push): void {
  const room = parts.rooms.get(push.projectId);
  if (!wasSentHere(push.commandId)) {
    for (const handlers of [...parts.listeners, ...(room?.listeners ?? [])]) handle(handlers, parts.cache, push);
  }
  if (room) moveOn(room, push.position);
}

/** A refusal that another try may change. */
const mayChange = ({ status }: Problem): boolean => status === 429 || status >= 500;

async function enter(parts: Parts, room: Room): Promise<void> {
  const { socket } = parts;
  if (!socket?.connected || parts.rooms.get(room.projectId) !== room) return;
  const knownBefore = room.handledUpTo;
  const known = { ...(knownBefore === undefined ? {} : { after: knownBefore }), ...(parts.log === null ? {} : { log: parts.log }) };
  const body = { projectId: room.projectId, ...known };
  const answer = await askAgain(parts, socket, () => socket.timeout(ACK_MS).emitWithAck('in-project', body));
  if (answer === null || parts.rooms.get(room.projectId) !== room) return;
  if (!answer.ok) return void queriesOf(parts.cache, room.projectId);
  // A backup was restored: nothing that this page holds is true any more, and its positions mean nothing.
  if (parts.log !== null && parts.log !== answer.log) return parts.reloadPage();
  parts.log = answer.log;
  moveOn(room, answer.position);
  setHere(parts, room.projectId, answer.users);
  if (answer.reload === true || knownBefore === undefined) await queriesOf(parts.cache, room.projectId);
}

/** Asks until an answer comes that will not change, or the connection goes (the next one enters every room anew). */
async function askAgain(parts: Parts, socket: LiveSocket, ask: () => Promise<Ack<InProjectAnswer>>): Promise<Ack<InProjectAnswer> | null> {
  while (socket.connected && parts.socket === socket) {
    const answer = await ask().catch(() => null); // no answer in time counts as none
    if (answer !== null && (answer.ok || !mayChange(answer.problem))) return answer;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  return null;
}

function onConnect(parts: Parts, socket: LiveSocket): void {
  parts.state.set('online');
  socket.emit('login', {}, (answer) => {
    if (answer.ok) for (const room of parts.rooms.values()) void enter(parts, room);
    else if (answer.problem.code === 'auth.required') sessionEnded();
    else setTimeout(() => socket.connected && onConnect(parts, socket), AGAIN_MS);
  });
}

/** Refused by the server itself, socket.io does not try again on its own. */
function onRefused(parts: Parts, socket: LiveSocket, error: Error & { readonly data?: unknown }): void {
  if (error.message === 'auth.required') return sessionEnded();
  if (!socket.active) setTimeout(() => parts.socket === socket && socket.connect(), AGAIN_MS);
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

function wire(parts: Parts, socket: LiveSocket): () => void {
  const loss = watchLoss(parts, socket);
  const back = () => {
    loss.found();
    if (socket.connected) parts.state.set('online');
    else if (!socket.active) socket.connect();
  };
  socket.on('connect', () => {
    loss.found();
    onConnect(parts, socket);
  });
  socket.on('disconnect', (reason) => {
    loss.lost();
    if (reason === 'io server disconnect') setTimeout(() => parts.socket === socket && socket.connect(), AGAIN_MS);
  });
  socket.on('connect_error', (error) => {
    loss.lost();
    onRefused(parts, socket, error);
  });
  for (const channel of ['projects', 'media', 'regions', 'comments'] as const) socket.on(channel, (push: Push) => receive(parts, push));
  socket.on('currentUsers', ({ projectId, users }) => parts.rooms.has(projectId) && setHere(parts, projectId, users));
  window.addEventListener('offline', loss.lost);
  window.addEventListener('online', back);
  return () => {
    loss.found();
    window.removeEventListener('offline', loss.lost);
    window.removeEventListener('online', back);
    socket.disconnect();
  };
}

function start(parts: Parts): () => void {
  let ended = false;
  let unwire: (() => void) | null = null;
  const open = () =>
    void import('./connection').then(({ openSocket }) => {
      if (ended) return;
      parts.socket = openSocket(addressOf('/'));
      unwire = wire(parts, parts.socket);
    }, later);
  /** The code of the connection could not be loaded: no network, most likely. */
  const later = () => {
    parts.state.set(navigator.onLine ? 'reconnecting' : 'offline');
    setTimeout(() => ended || open(), AGAIN_MS);
  };
  parts.state.set('connecting');
  const timer = setTimeout(open);
  return () => {
    ended = true;
    clearTimeout(timer);
    unwire?.();
    parts.socket = null;
    parts.here.set(new Map());
    parts.state.set('idle');
  };
}

function join(parts: Parts, joined: { readonly projectId: Id; readonly handlers: LiveHandlers; readonly after: Position | undefined }): () => void {
  const { projectId, handlers } = joined;
  const known = parts.rooms.get(projectId);
  const room = known ?? createRoom(projectId, joined.after);
  room.listeners.add(handlers);
  if (!known) {
    parts.rooms.set(projectId, room);
    void enter(parts, room);
  }
  return () => {
    room.listeners.delete(handlers);
    if (room.listeners.size > 0) return;
    parts.rooms.delete(projectId);
    setHere(parts, projectId, null);
    if (parts.socket?.connected) parts.socket.emit('left-project', { projectId }, () => undefined);
  };
}

/** Makes the live connection of a page; nothing is opened before `start`. The page is loaded anew when the server's log is not the one it knew. */
export function createLive(cache: QueryClient, reloadPage: () => void = () => window.location.reload()): Live {
  const parts: Parts = {
    cache,
    state: createStore<LiveState>('idle'),
    here: createStore<HereByProject>(new Map()),
    rooms: new Map(),
    listeners: new Set(),
    socket: null,
    log: null,
    reloadPage,
  };
  return {
    state: parts.state,
    here: parts.here,
    start: () => start(parts),
    join: (projectId, handlers, after) => join(parts, { projectId, handlers, after }),
    listen: (handlers) => {
      parts.listeners.add(handlers);
      return () => void parts.listeners.delete(handlers);
    },
  };
}
