import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { X } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { formatMark } from '../../shared/format/time';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import { IconButton } from '../../shared/ui/icon-button';
import { Clock } from './clock';
import './now-playing-bar.css';
import { PlayButton } from './play-button';
import { NUDGE_SECONDS } from './playback-maths';
import { noticeOf } from './playback-status';
import './player.css';
import type { PlayerStore } from './player-state';
import { usePlayheadSlider } from './playhead-slider';
import { SeekableWave } from './seekable-wave';
import { usePlayer } from './use-player';

export interface NowPlayingBarProps {
  readonly store: PlayerStore;
  readonly version: VersionView;
  /** The project's name. */
  readonly name: string;
  /** The project's page at this version. */
  readonly href: string;
  /** True if the page has its own player, which then handles the keys. */
  readonly isBesidePlayer: boolean;
  /** Stops playback. */
  readonly onClose: () => void;
}

const PLAY = { keys: ['Space'], label: 'Play or pause' };

/** Keys of the seek slider; all other keys belong to the page. */
function seekKeys(store: PlayerStore): Readonly<Record<string, () => void>> {
  return {
    ArrowLeft: () => store.nudge(-NUDGE_SECONDS),
    ArrowRight: () => store.nudge(NUDGE_SECONDS),
    Home: store.rewind,
    End: () => store.seek(store.getSnapshot().duration),
  };
}

function Seek({ store, version }: Pick<NowPlayingBarProps, 'store' | 'version'>) {
  const slider = useRef<HTMLDivElement>(null);
  usePlayheadSlider(store, slider);
  return (
    <SeekableWave
      ref={slider}
      store={store}
      version={version}
      role="slider"
      tabIndex={0}
      aria-label="Seek"
      aria-valuemin={0}
      aria-valuenow={0}
      onKeyDown={(event) => {
        const act = seekKeys(store)[event.key];
        if (act === undefined) return;
        event.preventDefault();
        act();
      }}
    />
  );
}

/** The version's number and summary with the playback notice, or the error. */
function Status({ store, version }: Pick<NowPlayingBarProps, 'store' | 'version'>) {
  const number = versionNumber(version);
  const error = usePlayer(store, (state) => state.error);
  const notice = usePlayer(store, (state) => noticeOf(state, () => number));
  if (error !== null) {
    return (
      <span className="error cut" role="alert">
        {error}
      </span>
    );
  }
  return (
    <span className="meta cut">
      {notice === null && `${number} ${toTyped(version.tinySummary)}`}
      <span role="status">{notice}</span>
    </span>
  );
}

/** Makes room for the bar at the bottom edge of the page. */
function useRoom(): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    dataset['nowbar'] = '';
    return () => void delete dataset['nowbar'];
  }, []);
}

/** The now-playing bar, at the bottom of every page except the playing project's. */
export function NowPlayingBar({ store, version, name, href, isBesidePlayer, onClose }: NowPlayingBarProps) {
  useRoom();
  useShortcuts(isBesidePlayer ? [] : [{ ...PLAY, run: store.toggle }]);
  return (
    <section className="nowbar" aria-label="Now playing">
      <PlayButton store={store} size="m" hasKey={!isBesidePlayer} onPress={store.toggle} />
      <div className="names">
        <Link to={href} className="cut">
          <b>{name}</b>
        </Link>
        <Status store={store} version={version} />
      </div>
      <Seek store={store} version={version} />
      <span className="meta">
        <Clock store={store} /> / {formatMark(version.duration)}
      </span>
      <IconButton label="Stop and close" icon={X} onPress={onClose} />
    </section>
  );
}
