import type { SystemSession } from './media-session';

type Handlers = Partial<Record<MediaSessionAction, MediaSessionActionHandler>>;

/** A browser's media session, which throws for the `unknown` actions. */
export function aSession(unknown: readonly MediaSessionAction[] = []) {
  const handlers: Handlers = {};
  const positions: (MediaPositionState | undefined)[] = [];
  const session: SystemSession = {
    metadata: null,
    playbackState: 'none',
    setActionHandler: (action, handler) => {
      if (unknown.includes(action)) throw new TypeError(`unknown action: ${action}`);
      if (handler === null) delete handlers[action];
      else handlers[action] = handler;
    },
    setPositionState: (state) => void positions.push(state),
  };
  return { session, handlers, positions, press: (details: MediaSessionActionDetails) => handlers[details.action]?.(details) };
}

/** The `MediaMetadata` of a browser with media sessions. */
export class PlainMetadata implements MediaMetadata {
  title = '';
  artist = '';
  album = '';
  artwork: readonly MediaImage[] = [];
  constructor(init?: MediaMetadataInit) {
    Object.assign(this, init);
  }
}
