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
import { useDensity } from './use-wave-colours';
import { peaksSourceOf, usePeaks } from './use-peaks';
import { type SelectedSpan, usePlayerActions, usePlayerKeys } from './use-player-keys';
import { useTrackView, type WaveView } from './use-track-view';
import { Wave } from './wave';
import type { DrawHandlers } from './wave-gestures';
import type { WaveMark } from './wave-drawing';
import { ZoomControl } from './zoom-control';

const WAVE_PX = 208;
const NARROW_WAVE_PX = 168;
const NARROW_PX = 768;

export interface PlayerProps {
  /** From {@link usePlayerStore}, one for the page. */
  readonly store: PlayerStore;
  /** The selected version; null if the project has none. */
  readonly version: VersionView | null;
  /** Spans of the wave in the colour of their category. Keep the array's identity while nothing changes. */
  readonly marks: readonly WaveMark[];
  readonly selected: SelectedSpan | null;
  readonly pins: readonly Pin[];
  readonly selectedPin: string | null;
  readonly onPin: (pins: readonly Pin[]) => void;
  /** Called while the user draws on the wave; null if they may not. Keep the object's identity while nothing changes. */
  readonly draw: DrawHandlers | null;
  /** Layers over the wave: a lane in the flow above it, and marks positioned in `.stage`. */
  readonly layers?: (view: WaveView) => ReactNode;
  /** The panel under the wave. */
  readonly panel?: (view: WaveView) => ReactNode;
  readonly onDoubleClick?: (seconds: number, view: WaveView) => void;
  readonly versions?: ReactNode;
  readonly actions?: ReactNode;
  /** Before the overview: filters for the wave. */
  readonly filter?: ReactNode;
  /** After the zoom: modes of the wave. */
  readonly modes?: ReactNode;
  /** Beside the panel: pitch and tempo. */
  readonly tools?: ReactNode;
  /** In the transport of a small screen. */
  readonly keyBarEnd?: ReactNode;
}

function useLoaded(store: PlayerStore, version: VersionView | null): void {
  const isPlayable = version !== null && version.state !== 'rejected';
  const { _id = '', versionUrl = '', duration = 0 } = version ?? {};
  useEffect(() => store.load(isPlayable ? { versionId: _id, url: versionUrl, duration } : null), [store, isPlayable, _id, versionUrl, duration]);
}

/** One version's transport, and its wave with the layers on it. */
export function Player(props: PlayerProps) {
  const { store, version, marks, selected, draw } = props;
  useLoaded(store, version);
  const viewport = useRef<HTMLDivElement>(null);
  const view = useTrackView(viewport, version?.duration ?? 0);
  const density = useDensity();
  const source = useMemo(() => peaksSourceOf(version), [version]);
  const peaks = usePeaks(source, view.scale.pxPerSecond * density);
  const acts = usePlayerActions(store, selected);
  const [showsKeys, setShowsKeys] = useState(false);
  const seek = useCallback(
    (seconds: number) => {
      view.autoScroll.set(true);
      store.seek(seconds);
      view.reveal(seconds);
    },
    [store, view],
  );
  const onPlay = () => {
    view.autoScroll.set(true);
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
      <div className="screen" ref={viewport}>
        <div className="track" style={{ width: view.scale.width || undefined }}>
          <Ruler view={view} onSeek={seek} />
          <div className="stage">
            {props.layers?.(view)}
            <Wave
              store={store}
              view={view}
              height={view.visibleWidth < NARROW_PX ? NARROW_WAVE_PX : WAVE_PX}
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
      <div className={classNames('wave-panel', props.tools !== undefined && 'has-tools')}>
        {props.panel?.(view)}
        {props.tools !== undefined && <div className="tools">{props.tools}</div>}
      </div>
      <KeyBar store={store} onPlay={onPlay} onLoop={acts.onLoop} zoom={view.zoom} onZoom={view.setZoom}>
        {props.keyBarEnd}
      </KeyBar>
      <KeysDialog isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </section>
  );
}
