import { ownChannel } from '../live/channels';
import type { LiveSubscriber } from '../live/handlers';
import { cacheSelf, sessionQuery } from './session-query';

/** Keeps the signed-in user current when they change their profile in another tab. */
export const sessionLive: LiveSubscriber = {
  channels: [ownChannel('users')],
  handlers: { UserEdited: (cache, { view }) => cacheSelf(cache, view) },
  onMissed: (cache) => void cache.invalidateQueries({ queryKey: sessionQuery.queryKey }),
};
