import { PHONE, useMedia } from '../../../shared/hooks/use-media';
import type { PlayerStore } from '../player-state';
import { LevelMeter } from './level-meter';
import { PitchAndTempo } from './pitch-and-tempo';

export const PlayerTools = ({ store }: { readonly store: PlayerStore }) => (
  <>
    <PitchAndTempo store={store} />
    <LevelMeter store={store} />
  </>
);

/** The tools beside the panel under the wave. Phones have them in a sheet. */
export function PanelTools({ store }: { readonly store: PlayerStore }) {
  if (useMedia(PHONE)) return null;
  return (
    <div className="tools">
      <PlayerTools store={store} />
    </div>
  );
}
