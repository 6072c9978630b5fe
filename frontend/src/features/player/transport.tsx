import type { ReactNode } from 'react';
import { Repeat, SkipBack, SlidersHorizontal } from 'lucide-react';
import { formatClock, formatLength } from '../../shared/format/time';
import { IconButton } from '../../shared/ui/icon-button';
import { Popover } from '../../shared/ui/popover';
import { Clock } from './clock';
import { PlayButton } from './play-button';
import type { PlayerStore } from './player-state';
import { usePlayer } from './use-player';
import { Volume } from './volume';
import { ZoomControl, type ZoomControlProps } from './zoom-control';

export interface TransportProps {
  readonly store: PlayerStore;
  readonly onPlay: () => void;
  readonly onLoop: () => void;
}

function Rewind({ store }: { readonly store: PlayerStore }) {
  return <IconButton label="Rewind" keys="Enter" icon={SkipBack} onPress={store.rewind} />;
}

function Loop({ store, onLoop }: Pick<TransportProps, 'store' | 'onLoop'>) {
  const isLooping = usePlayer(store, ({ loop }) => loop !== null);
  return <IconButton label="Loop" keys="L" icon={Repeat} isPressed={isLooping} isSounding onPress={onLoop} />;
}

/** The track's length and the loop, or why playback failed. */
function PlaybackStatus({ store }: { readonly store: PlayerStore }) {
  const duration = usePlayer(store, (state) => state.duration);
  const loop = usePlayer(store, (state) => state.loop);
  const error = usePlayer(store, (state) => state.error);
  if (error !== null) {
    return (
      <span className="error" role="alert">
        {error}
      </span>
    );
  }
  return (
    <span className="meta">
      of {formatClock(duration)}
      {loop && (
        <>
          <br />
          looping {formatLength(loop.end - loop.start)}
        </>
      )}
    </span>
  );
}

export interface TransportBarProps extends TransportProps {
  /** The version picker. */
  readonly versions?: ReactNode;
  /** More buttons at the end of the row. */
  readonly actions?: ReactNode;
}

/** The row above the wave. */
export function TransportBar({ store, onPlay, onLoop, versions, actions }: TransportBarProps) {
  return (
    <div className="transport">
      <div className="keys" role="group" aria-label="Transport">
        <Rewind store={store} />
        <PlayButton store={store} onPress={onPlay} />
        <Loop store={store} onLoop={onLoop} />
      </div>
      <div className="clockbox">
        <Clock store={store} />
        <PlaybackStatus store={store} />
      </div>
      {versions !== undefined && <span className="rule" />}
      {versions}
      <span className="transport-gap" />
      <Volume store={store} />
      {actions}
    </div>
  );
}

export interface KeyBarProps extends TransportProps, ZoomControlProps {
  /** More buttons within reach of the thumb, such as Comment. */
  readonly children?: ReactNode;
}

/** The transport of small screens, at the bottom edge. */
export function KeyBar({ store, onPlay, onLoop, zoom, onZoom, children }: KeyBarProps) {
  return (
    <div className="keybar" role="group" aria-label="Transport">
      <PlayButton store={store} onPress={onPlay} />
      <div className="clockbox">
        <Clock store={store} />
        <PlaybackStatus store={store} />
      </div>
      <span className="grow" />
      <Rewind store={store} />
      <Loop store={store} onLoop={onLoop} />
      <Popover
        label="Zoom and sound"
        placement="top end"
        className="sheet"
        trigger={(trigger) => <IconButton {...trigger} label="Zoom and sound" icon={SlidersHorizontal} />}
      >
        {() => (
          <>
            <ZoomControl zoom={zoom} onZoom={onZoom} />
            <Volume store={store} />
          </>
        )}
      </Popover>
      {children}
    </div>
  );
}
