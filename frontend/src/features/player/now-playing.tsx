import { NowPlayingBar, type NowPlayingBarProps } from './now-playing-bar';
import type { SessionDetails } from './media-session';
import { useMediaSession } from './use-media-session';

export interface NowPlayingProps extends Pick<NowPlayingBarProps, 'store' | 'version'> {
  /** Memoize this object. */
  readonly details: Omit<SessionDetails, 'artwork'>;
  /** null on the playing project's page, which has its own player. */
  readonly bar: Omit<NowPlayingBarProps, 'store' | 'version'> | null;
}

/** Publishes what is playing to the media session, and shows it in the bar. */
export function NowPlaying({ store, version, details, bar }: NowPlayingProps) {
  useMediaSession(store, version, details);
  return bar && <NowPlayingBar store={store} version={version} {...bar} />;
}
