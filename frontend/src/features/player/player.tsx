import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Keyboard } from 'lucide-react';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useStableCallback } from '../../shared/hooks/use-stable-callback';
import { Deferred } from '../../shared/ui/deferred';
import { IconButton } from '../../shared/ui/icon-button';
import { type Compare, useCompare } from './compare/use-compare';
import { Waves } from './compare/waves';
import { FollowButton } from './follow-button';
import { KeysDialog } from './keys-dialog';
import { OverviewMap } from './overview-map';
import { PeopleLane } from './people-lane';
import type { Pin } from './pin-groups';
import { Playhead } from './playhead';
import type { PlayerStore } from './player-state';
import './player.css';
import { LoopRange } from './post-range';
import { Ruler } from './ruler';
import { MatchSwitch } from './tools/match-switch';
import { usePitchAndTempoKeys } from './tools/pitch-and-tempo';
import { PanelTools } from './tools/player-tools';
import { trackOf, tracksOf } from './track';
import { KeyBar, TransportBar } from './transport';
import { useDensity } from '../../shared/wave/use-wave-colours';
import { type Peaks, peaksSourceOf, usePeaks } from '../../shared/wave/use-peaks';
import { type SelectedSpan, usePlayerActions, usePlayerKeys } from './use-player-keys';
import { type TrackView, useTrackView, type WaveView } from './use-track-view';
import type { DrawHandlers } from './wave-gestures';
import type { WaveMark } from '../../shared/wave/wave-drawing';
import { ZoomControl } from './zoom-control';

export interface PlayerProps {
  /** From {@link useProjectPlayer}. */
  readonly store: PlayerStore;
  /** The selected version; null if the project has none. */
  readonly version: VersionView | null;
  /** Of the project. */
  readonly allVersions: readonly VersionView[];
  readonly onSelectVersion: (id: Id) => void;
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
  /** In the transport of a small screen. */
  readonly keyBarEnd?: ReactNode;
}

/** The store follows the page's version, and knows the others of the project. */
function useLoaded(store: PlayerStore, version: VersionView | null, versions: readonly VersionView[]): void {
  useEffect(() => store.load(trackOf(version)), [store, version]);
  useEffect(() => store.setTracks(tracksOf(versions)), [store, versions]);
}

/** The numbers of versions by their ids. */
function useNames(versions: readonly VersionView[]): (versionId: Id) => string {
  return useCallback(
    (versionId) => {
      const version = versions.find(({ _id }) => _id === versionId);
      return version ? versionNumber(version) : 'the version';
    },
    [versions],
  );
}

/** Seeks, and scrolls the playhead into view. */
function useSeek(store: PlayerStore, view: TrackView): (seconds: number) => void {
  return useCallback(
    (seconds) => {
      view.isFollowing.set(true);
      store.seek(seconds);
      view.reveal(seconds);
    },
    [store, view],
  );
}

interface ScreenProps extends PlayerProps {
  readonly viewport: RefObject<HTMLDivElement | null>;
  readonly view: TrackView;
  readonly compare: Compare;
  readonly peaks: Peaks | null;
  readonly onSeek: (seconds: number) => void;
}

/** What scrolls: ruler, labels, waves, people and the playhead. */
function Screen({ viewport, view, compare, peaks, onSeek, ...props }: ScreenProps) {
  const { store, version, marks, selected, draw } = props;
  return (
    <div className="screen-frame">
      <div className="screen" ref={viewport}>
        <div className="track" style={{ width: view.scale.width || undefined }}>
          <Ruler view={view} onSeek={onSeek} />
          <div className="stage">
            {props.layers?.(view)}
            {selected === null && <LoopRange store={store} view={view} />}
            <Waves
              compare={compare}
              selectedId={version?._id ?? null}
              store={store}
              view={view}
              peaks={peaks}
              marks={marks}
              selectedMarkId={selected?.id ?? null}
              draw={draw}
              onSeek={onSeek}
              onDoubleClick={(seconds) => props.onDoubleClick?.(seconds, view)}
            />
          </div>
          <PeopleLane view={view} pins={props.pins} selectedId={props.selectedPin} onPin={props.onPin} />
          <Playhead store={store} view={view} />
        </div>
      </div>
      <FollowButton store={store} view={view} />
    </div>
  );
}

/** One version's transport, and its wave with the layers on it. */
export function Player(props: PlayerProps) {
  const { store, version, allVersions, marks, selected } = props;
  useLoaded(store, version, allVersions);
  const compare = useCompare({ versions: allVersions, version, onSelectVersion: props.onSelectVersion });
  const nameOf = useNames(allVersions);
  const viewport = useRef<HTMLDivElement>(null);
  const view = useTrackView(viewport, Math.max(0, ...compare.rows.map(({ duration }) => duration)));
  const density = useDensity();
  const source = useMemo(() => peaksSourceOf(version), [version]);
  const peaks = usePeaks(source, view.scale.pxPerSecond * density);
  const acts = usePlayerActions(store, selected, version?._id ?? null);
  const [showsKeys, setShowsKeys] = useState(false);
  const seek = useSeek(store, view);
  // Stable, because the buttons are rendered later than the wave.
  const onPlay = useStableCallback(() => {
    view.isFollowing.set(true);
    acts.onPlay();
  });
  const onLoop = useStableCallback(acts.onLoop);
  usePlayerKeys(store, { onPlay, onLoop }, view, () => setShowsKeys(true));
  usePitchAndTempoKeys(store);

  return (
    <section className="player" aria-label="Player">
      <Deferred>
        <TransportBar
          store={store}
          nameOf={nameOf}
          onPlay={onPlay}
          onLoop={onLoop}
          versions={props.versions}
          compare={compare}
          match={version && <MatchSwitch store={store} version={version} versions={allVersions} />}
          actions={props.actions}
        />
      </Deferred>
      <div className="navrow">
        <Deferred>{props.filter}</Deferred>
        <OverviewMap store={store} view={view} peaks={peaks?.coarsest ?? null} marks={marks} onSeek={seek} />
        <ZoomControl zoom={view.zoom} onZoom={view.setZoom} />
        {props.modes}
        <IconButton size="s" className="only-l" label="Keyboard shortcuts" keys="?" icon={Keyboard} iconSize={18} onPress={() => setShowsKeys(true)} />
      </div>
      <Screen {...props} viewport={viewport} view={view} compare={compare} peaks={peaks} onSeek={seek} />
      <div className="wave-panel">
        {props.panel?.(view)}
        <PanelTools store={store} />
      </div>
      <Deferred>
        <KeyBar store={store} nameOf={nameOf} onPlay={onPlay} onLoop={onLoop} zoom={view.zoom} onZoom={view.setZoom}>
          {props.keyBarEnd}
        </KeyBar>
      </Deferred>
      <KeysDialog isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </section>
  );
}
