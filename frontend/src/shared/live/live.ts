import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import { addressOf } from '../api/client';
import { enter } from './enter';
import type { LiveHandlers } from './handlers';
import { createOnce } from './once';
import { type Parts, setHere } from './parts';
import { createRoom } from './room';
import { createStore, type HereByProject, type LiveState, type Store } from './stores';
import { wire } from './wire';

const AGAIN_MS = 2_000;

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
    isNew: createOnce(),
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
