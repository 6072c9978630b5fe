import { useState } from 'react';
import { Volume1, Volume2, VolumeX } from 'lucide-react';
import { formatPercent } from '../../shared/format/ratio';
import { IconButton } from '../../shared/ui/icon-button';
import { Slider } from '../../shared/ui/slider';
import type { PlayerStore } from './player-state';
import { isVolumeOfSystem } from './system-volume';
import { usePlayer } from './use-player';

const STEP = 0.05;

/** Volume and mute, stored for the next visit. Where the system owns the volume there is only mute. */
export function Volume({ store }: { readonly store: PlayerStore }) {
  const volume = usePlayer(store, (state) => state.volume);
  const muted = usePlayer(store, (state) => state.muted);
  const [isOfSystem] = useState(() => isVolumeOfSystem());
  const effective = muted ? 0 : volume;
  return (
    <div className="volume" role="group" aria-label="Sound">
      <IconButton
        size="s"
        label={muted ? 'Unmute' : 'Mute'}
        icon={effective === 0 ? VolumeX : effective < 0.5 ? Volume1 : Volume2}
        iconSize={18}
        isPressed={muted}
        onPress={() => store.setMuted(!muted)}
      />
      {!isOfSystem && <Slider label="Volume" hidesLabel min={0} max={1} step={STEP} value={effective} format={formatPercent} onChange={store.setVolume} />}
    </div>
  );
}
