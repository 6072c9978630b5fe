import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useEffect, useMemo, useState } from 'react';
import { drawArtwork } from './artwork';
import { followPlayback, type SessionDetails, showDetails, systemSession } from './media-session';
import type { PlayerStore } from './player-state';
import { peaksSourceOf, usePeaks } from '../../shared/wave/use-peaks';

const NO_ARTWORK: readonly MediaImage[] = [];

/** Pictures of the waveform, once its peaks are loaded. */
function useArtwork(version: VersionView): readonly MediaImage[] {
  const peaks = usePeaks(
    useMemo(() => peaksSourceOf(version), [version]),
    0,
  )?.coarsest;
  const [artwork, setArtwork] = useState(NO_ARTWORK);
  useEffect(() => {
    if (!peaks) return undefined;
    let isCurrent = true;
    const drawing = drawArtwork(peaks);
    void drawing.then((images) => isCurrent && setArtwork(images));
    return () => {
      isCurrent = false;
      setArtwork(NO_ARTWORK);
      void drawing.then((images) => images.forEach(({ src }) => URL.revokeObjectURL(src)));
    };
  }, [peaks]);
  return artwork;
}

/** Connects the player to the media session. Memoize `details`. */
export function useMediaSession(store: PlayerStore, version: VersionView, details: Omit<SessionDetails, 'artwork'>): void {
  const [session] = useState(systemSession);
  const artwork = useArtwork(version);
  useEffect(() => (session === null ? undefined : followPlayback(session, store)), [session, store]);
  useEffect(() => (session === null ? undefined : showDetails(session, { ...details, artwork })), [session, details, artwork]);
}
