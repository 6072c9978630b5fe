import { ownChannel } from '../../shared/live/channels';
import type { LiveSubscriber } from '../../shared/live/handlers';
import { PROFILES_KEY } from './profiles.queries';

/** Profiles show names, connections and projects of many people: what is open is asked for again. */
const refresh: NonNullable<LiveSubscriber['onMissed']> = (cache) => void cache.invalidateQueries({ queryKey: PROFILES_KEY });

/** Keeps open profiles current when the user's own profile or connections change elsewhere, and when someone is erased. */
export const profilesLive: LiveSubscriber = {
  channels: [ownChannel('users')],
  handlers: { UserEdited: refresh, UserErased: refresh },
  onMissed: refresh,
};
