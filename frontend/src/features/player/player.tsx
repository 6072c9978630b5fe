import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Keyboard } from 'lucide-react';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { classNames } from '../../shared/ui/class-names';
import { IconButton } from '../../shared/ui/icon-button';
import { KeysDialog } from './keys-dialog';
import { OverviewMap } from './overview-map';
import { PeopleLane } from './people-lane';
import type { Pin } from './pin-groups';
import { Playhead } from './playhead';
import type { PlayerStore } from './player-state';
import './player.css';
import { Ruler } from './ruler';
import { KeyBar, TransportBar } from './transport';
import { useDensity } from './use-inks';
import { peaksSourceOf, usePeaks } from './use-peaks';
import { type SelectedSpan, usePlayerActs, usePlayerKeys } from './use-player-keys';
import { useTrackView, type WaveView } from './use-track-view';
import { Wave } from './wave';
import type { DrawHandlers } from './wave-gestures';
import type { WaveMark } from './wave-ink';
import { ZoomControl } from './zoom-control';

const WAVE_PX = 208;
const NARROW_WAVE_PX = 168;
const NARROW_PX = 768;

export interface PlayerProps {
  /** From {@link usePlayerStore}, one for the page. */
  readonly store: PlayerStore;
  /** What is heard; null before the first version stands. */
  readonly version: VersionView | null;
  /** Parts of the wave in the colour of their category. Keep the array the same while nothing changed. */
  readonly marks: readonly WaveMark[];
  readonly selected: SelectedSpan | null;
  readonly pins: readonly Pin[];
  readonly selectedPin: string | null;
  readonly onPin: (pins: readonly Pin[]) => void;
  /** Told while somebody draws on the wave; null for who may not. Keep the object the same while nothing changed. */
  readonly draw: DrawHandlers | null;
  /** What lies over the wave: a lane in the flow above it, and marks placed in `.stage`. */
  readonly layers?: (view: WaveView) => ReactNode;
  /** The strip under the wave. */
  readonly bench?: (view: WaveView) => ReactNode;
  readonly onDoubleClick?: (seconds: number, view: WaveView) => void;
  readonly versions?: ReactNode;
  readonly actions?: ReactNode;
  /** Before the map: what is shown on the wave. */
  readonly filter?: ReactNode;
  /** After the zoom: how the wave is worked on. */
  readonly modes?: ReactNode;
  /** Beside the bench: pitch and tempo. */
  readonly tools?: ReactNode;
  /** In the transport of a small screen. */
  readonly keyBarEnd?: ReactNode;
}

function useLoaded(store: PlayerStore, version: VersionView | null): void {
  const isPlayable = version !== null && version.state !== 'rejected';
  const { _id = '', versionUrl = '', duration = 0 } = version ?? {};
  useEffect(() => store.load(isPlayable ? { versionId: _id, url: versionUrl, duration } : null), [store, isPlayable, _id, versionUrl, duration]);
}

/** The heart of a project: one version's transport, wave and what lies on it. */
export function Player(props: PlayerProps) {
  const { store, version, marks, selected, draw } = props;
  useLoaded(store, version);
  const screen = useRef<HTMLDivElement>(null);
  const view = useTrackView(screen, version?.duration ?? 0);
  const density = useDensity();
  const source = useMemo(() => peaksSourceOf(version), [version]);
  const peaks = usePeaks(source, view.scale.pxPerSecond * density);
  const acts = usePlayerActs(store, selected);
  const [showsKeys, setShowsKeys] = useState(false);
  const seek = useCallback(
    (seconds: number) => {
      view.follow.set(true);
      store.seek(seconds);
      view.reveal(seconds);
    },
    [store, view],
  );
  const onPlay = () => {
    view.follow.set(true);
    acts.onPlay();
  };
  usePlayerKeys(store, { onPlay, onLoop: acts.onLoop }, view, () => setShowsKeys(true));

  return (
    <section className="player" aria-label="Player">
      <TransportBar store={store} onPlay={onPlay} onLoop={acts.onLoop} versions={props.versions} actions={props.actions} />
      <div className="navrow">
        {props.filter}
        <OverviewMap store={store} view={view} peaks={peaks?.coarsest ?? null} marks={marks} onSeek={seek} />
        <ZoomControl zoom={view.zoom} onZoom={view.setZoom} />
        {props.modes}
        <IconButton size="s" className="only-l" label="Keyboard shortcuts" keys="?" icon={Keyboard} iconSize={18} onPress={() => setShowsKeys(true)} />
      </div>
      <div className="screen" ref={screen}>
        <div className="track" style={{ width: view.scale.width || undefined }}>
          <Ruler view={view} onSeek={seek} />
          <div className="stage">
            {props.layers?.(view)}
            <Wave
              store={store}
              view={view}
              height={view.seen < NARROW_PX ? NARROW_WAVE_PX : WAVE_PX}
              peaks={peaks?.best ?? null}
              marks={marks}
              draw={draw}
              onSeek={seek}
              onDoubleClick={(seconds) => props.onDoubleClick?.(seconds, view)}
            />
          </div>
          <PeopleLane view={view} pins={props.pins} selectedId={props.selectedPin} onPin={props.onPin} />
          <Playhead store={store} view={view} />
        </div>
      </div>
      <div className={classNames('bench', props.tools !== undefined && 'has-tools')}>
        {props.bench?.(view)}
        {props.tools !== undefined && <div className="tools">{props.tools}</div>}
      </div>
      <KeyBar store={store} onPlay={onPlay} onLoop={acts.onLoop} zoom={view.zoom} onZoom={view.setZoom}>
        {props.keyBarEnd}
      </KeyBar>
      <KeysDialog isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </section>
  );
}
