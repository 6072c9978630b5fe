import type { Ack } from '@roughmix/contracts/live.js';
import type { UpdateNewUserNotif } from '@roughmix/contracts/notifications/notification.api.js';
import type { ChecklistAnswer } from '@roughmix/contracts/notifications/notification.view.js';
import type { UpdateMetrics } from '@roughmix/contracts/plays/play.api.js';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import { addressOf } from '../api/client';
import { attachSocket } from './attach-socket';
import { enterRoom } from './enter-room';
import type { LiveSubscriber } from './handlers';
import { type LiveParts, setPresence } from './live-parts';
import { createPushFilter } from './push-filter';
import { openChannels } from './receive-push';
import { createRoom, type Room } from './room';
import { createStore, type Store } from '../hooks/store';
import type { LiveState, PresenceByTopic } from './stores';
import { TOPIC_KINDS } from './topic-kinds';
import { type Topic, topicKey, userTopic } from './topics';

const RETRY_MS = 2_000;
const ANSWER_MS = 10_000;
/** A sign-out does not wait longer for the answer: the end of the session closes the socket anyway. */
const LOGOUT_MS = 1_000;

/** The live connection of this tab. */
export interface Live {
  readonly state: Store<LiveState>;
  readonly presence: Store<PresenceByTopic>;
  /** Connects as this user. @returns a function that disconnects */
  readonly start: (uid: Uid) => () => void;
  /** Follows a topic, catching up from `after`. @returns a function that leaves it */
  readonly join: (topic: Topic, subscriber: LiveSubscriber, after?: Position) => () => void;
  /** Follows every topic that this tab has joined. @returns a function that unsubscribes */
  readonly listen: (subscriber: LiveSubscriber) => () => void;
  /** Tells the server that the user signs out; resolves when it knows, or without a connection. */
  readonly logout: () => Promise<void>;
  /** Reports seconds of a version that were played; dropped while there is no connection, because it can be missed. */
  readonly reportPlayed: (heard: UpdateMetrics) => void;
  /** Ticks or unticks an item of the welcome checklist; null without a connection or an answer. */
  readonly tickChecklist: (change: UpdateNewUserNotif) => Promise<Ack<ChecklistAnswer> | null>;
}

/** The room of the signed-in user. It is kept across reconnects and sessions of the same user; the room of a previous user is deleted. */
function openUserRoom(parts: LiveParts, uid: Uid): Room {
  for (const [key, { topic }] of parts.rooms) if (topic.kind === 'user' && topic.id !== uid) parts.rooms.delete(key);
  const topic = userTopic(uid);
  const room = parts.rooms.get(topicKey(topic)) ?? createRoom(topic);
  parts.rooms.set(topicKey(topic), room);
  return room;
}

function start(parts: LiveParts, uid: Uid): () => void {
  let hasEnded = false;
  let detach: (() => void) | null = null;
  const userRoom = openUserRoom(parts, uid);
  const open = () =>
    void import('./connection').then(({ openSocket }) => {
      if (hasEnded) return;
      parts.socket = openSocket(addressOf('/'));
      detach = attachSocket(parts, parts.socket, userRoom);
    }, retry);
  /** The code of the connection failed to load, most likely because there is no network. */
  const retry = () => {
    parts.state.set(navigator.onLine ? 'reconnecting' : 'offline');
    setTimeout(() => hasEnded || open(), RETRY_MS);
  };
  parts.uid = uid;
  parts.state.set('connecting');
  const timer = setTimeout(open);
  return () => {
    hasEnded = true;
    clearTimeout(timer);
    detach?.();
    parts.uid = null;
    parts.socket = null;
    parts.presence.set(new Map());
    parts.state.set('idle');
  };
}

function join(parts: LiveParts, topic: Topic, subscriber: LiveSubscriber, after: Position | undefined): () => void {
  const { leave } = TOPIC_KINDS[topic.kind];
  const known = parts.rooms.get(topicKey(topic));
  const room = known ?? createRoom(topic, after);
  openChannels(parts, subscriber);
  room.subscribers.add(subscriber);
  if (!known) {
    parts.rooms.set(topicKey(topic), room);
    void enterRoom(parts, room);
  }
  return () => {
    room.subscribers.delete(subscriber);
    if (room.subscribers.size > 0 || leave === undefined) return;
    parts.rooms.delete(topicKey(topic));
    setPresence(parts, topic, null);
    if (parts.socket?.connected) leave(parts.socket, topic.id);
  };
}

async function tickChecklist({ socket }: LiveParts, change: UpdateNewUserNotif): Promise<Ack<ChecklistAnswer> | null> {
  if (socket?.connected !== true) return null;
  try {
    return (await socket.timeout(ANSWER_MS).emitWithAck('update-newUserNotif', change)) as Ack<ChecklistAnswer>;
  } catch {
    // No answer in time.
    return null;
  }
}

function reportPlayed({ socket }: LiveParts, heard: UpdateMetrics): void {
  if (socket?.connected === true) socket.emit('update-metrics', heard, () => undefined);
}

/** Creates the live connection of a page; it connects on `start`. The page is reloaded if the server turns out to have a different log. */
export function createLive(cache: QueryClient, reloadPage: () => void = () => window.location.reload()): Live {
  const parts: LiveParts = {
    cache,
    state: createStore<LiveState>('idle'),
    presence: createStore<PresenceByTopic>(new Map()),
    rooms: new Map(),
    channels: new Map(),
    listeners: new Set(),
    isNew: createPushFilter(),
    uid: null,
    socket: null,
    log: null,
    reloadPage,
  };
  return {
    state: parts.state,
    presence: parts.presence,
    start: (uid) => start(parts, uid),
    join: (topic, subscriber, after) => join(parts, topic, subscriber, after),
    listen: (subscriber) => {
      openChannels(parts, subscriber);
      parts.listeners.add(subscriber);
      return () => void parts.listeners.delete(subscriber);
    },
    logout: async () => {
      if (parts.socket?.connected)
        await parts.socket
          .timeout(LOGOUT_MS)
          .emitWithAck('logout', {})
          .catch(() => undefined);
    },
    reportPlayed: (heard) => reportPlayed(parts, heard),
    tickChecklist: (change) => tickChecklist(parts, change),
  };
}
