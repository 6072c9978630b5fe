import { Pause, Play } from 'lucide-react';
import { Icon } from '../../shared/ui/icon';
import { Tooltip } from '../../shared/ui/tooltip';
import { useTooltip } from '../../shared/ui/use-tooltip';
import type { PlayerStore } from './player-state';
import { usePlayer } from './use-player';

export interface PlayButtonProps {
  readonly store: PlayerStore;
  readonly onPress: () => void;
  readonly size?: 'm' | 'l';
  /** False if another player handles Space. */
  readonly hasKey?: boolean;
}

/** Play and pause, the page's primary button. */
export function PlayButton({ store, onPress, size = 'l', hasKey = true }: PlayButtonProps) {
  const playing = usePlayer(store, (state) => state.playing);
  const isEmpty = usePlayer(store, (state) => state.versionId === null);
  // Start loading when a press is likely.
  const tip = useTooltip(undefined, { onPointerEnter: store.prepare, onFocus: store.prepare });
  const label = playing ? 'Pause' : 'Play';
  return (
    <>
      <button {...tip.trigger} type="button" className={size === 'm' ? 'play m' : 'play'} aria-label={label} disabled={isEmpty} onClick={onPress}>
        <span key={label} className="flips">
          <Icon of={playing ? Pause : Play} size={size === 'm' ? 18 : 24} filled />
        </span>
      </button>
      <Tooltip tip={tip} keys={hasKey ? 'Space' : undefined}>
        {label}
      </Tooltip>
    </>
  );
}
