import type { ReactNode } from 'react';
import { Repeat, SkipBack, SlidersHorizontal } from 'lucide-react';
import { IconButton } from '../../shared/ui/icon-button';
import { Popover } from '../../shared/ui/popover';
import { Clock } from './clock';
import { CompareToggle } from './compare/compare-toggle';
import type { Compare } from './compare/use-compare';
import { PlayButton } from './play-button';
import { PlaybackStatus, type PlaybackStatusProps } from './playback-status';
import type { PlayerStore } from './player-state';
import { PlayerTools } from './tools/player-tools';
import { usePlayer } from './use-player';
import { Volume } from './volume';
import { ZoomControl, type ZoomControlProps } from './zoom-control';

export interface TransportProps extends PlaybackStatusProps {
  readonly onPlay: () => void;
  readonly onLoop: () => void;
}

function Rewind({ store }: { readonly store: PlayerStore }) {
  return <IconButton label="Rewind" keys="Enter" icon={SkipBack} onPress={store.rewind} />;
}

function Loop({ store, onLoop }: Pick<TransportProps, 'store' | 'onLoop'>) {
  const isLooping = usePlayer(store, ({ loop }) => loop !== null);
  const isEmpty = usePlayer(store, ({ versionId }) => versionId === null);
  return <IconButton label="Loop" keys="L" icon={Repeat} isPressed={isLooping} isSounding isDisabled={isEmpty} onPress={onLoop} />;
}

export interface TransportBarProps extends TransportProps {
  /** The version picker. */
  readonly versions?: ReactNode;
  readonly compare: Compare;
  /** The switch of loudness match. */
  readonly match: ReactNode;
  /** More buttons at the end of the row. */
  readonly actions?: ReactNode;
}

/** The row above the wave. */
export function TransportBar({ store, nameOf, onPlay, onLoop, versions, compare, match, actions }: TransportBarProps) {
  return (
    <div className="transport">
      <div className="keys" role="group" aria-label="Transport">
        <Rewind store={store} />
        <PlayButton store={store} onPress={onPlay} />
        <Loop store={store} onLoop={onLoop} />
      </div>
      <div className="clockbox">
        <Clock store={store} />
        <PlaybackStatus store={store} nameOf={nameOf} />
      </div>
      {versions !== undefined && <span className="rule" />}
      {versions}
      <CompareToggle compare={compare} />
      {match}
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
export function KeyBar({ store, nameOf, onPlay, onLoop, zoom, onZoom, children }: KeyBarProps) {
  return (
    <div className="keybar" role="group" aria-label="Transport">
      <PlayButton store={store} onPress={onPlay} />
      <div className="clockbox">
        <Clock store={store} />
        <PlaybackStatus store={store} nameOf={nameOf} />
      </div>
      <span className="grow" />
      <Rewind store={store} />
      <Loop store={store} onLoop={onLoop} />
      <Popover
        label="Pitch, tempo and zoom"
        placement="top end"
        className="sheet"
        trigger={(trigger) => <IconButton {...trigger} label="Pitch, tempo and zoom" icon={SlidersHorizontal} />}
      >
        {() => (
          <>
            <PlayerTools store={store} />
            <ZoomControl zoom={zoom} onZoom={onZoom} />
            <Volume store={store} />
          </>
        )}
      </Popover>
      {children}
    </div>
  );
}
