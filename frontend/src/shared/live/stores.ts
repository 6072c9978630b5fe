import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import type { TopicKey } from './topics';

/** The live connection: not wanted, connecting for the first time, connected, without a network, or lost and reconnecting. */
export type LiveState = 'idle' | 'connecting' | 'online' | 'offline' | 'reconnecting';
/** Who is present in each room that this tab is in. */
export type PresenceByTopic = ReadonlyMap<TopicKey, readonly PersonView[]>;
