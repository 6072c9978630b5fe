import type { Push, PushChannel } from '@roughmix/contracts/live.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import type { QueryClient } from '@tanstack/react-query';
import type { LiveChannel } from './channels';
import type { LiveSocket } from './connection';
import type { LiveSubscriber } from './handlers';
import type { Room } from './room';
import type { Store } from '../hooks/store';
import type { LiveState, PresenceByTopic } from './stores';
import { type Topic, type TopicKey, topicKey } from './topics';

/** The state of a tab's live connection. */
export interface LiveParts {
  readonly cache: QueryClient;
  readonly state: Store<LiveState>;
  readonly presence: Store<PresenceByTopic>;
  readonly rooms: Map<TopicKey, Room>;
  readonly channels: Map<PushChannel, LiveChannel>;
  /** Subscribers that handle every push, regardless of its topic. */
  readonly listeners: Set<LiveSubscriber>;
  readonly isNew: (push: Push) => boolean;
  /** The signed-in user; null while signed out. */
  uid: Uid | null;
  socket: LiveSocket | null;
  /** The log that all known positions belong to; null until the server has sent it. */
  log: string | null;
  readonly reloadPage: () => void;
}

/** Sets who is present in a topic's room; null deletes the entry. */
export function setPresence({ presence }: LiveParts, topic: Topic, users: readonly PersonView[] | null): void {
  const next = new Map(presence.get());
  if (users === null) next.delete(topicKey(topic));
  else next.set(topicKey(topic), users);
  presence.set(next);
}
