import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { Clock } from './clock';
import { PlayButton } from './play-button';
import type { PlayerStore } from './player-state';
import './player.css';
import { SeekableWave } from './seekable-wave';

export interface MiniPlayerProps {
  readonly store: PlayerStore;
  readonly version: VersionView | null;
  /** The project's name. */
  readonly name: string;
}

/** The player in the collapsed header: play button, version, clock and overview. Small screens show the name only. */
export function MiniPlayer({ store, version, name }: MiniPlayerProps) {
  return (
    <div className="mini-player">
      <PlayButton store={store} size="m" onPress={store.toggle} />
      <div className="mini-name">
        <b className="wide cut">{name}</b>
        {version && (
          <span className="meta cut">
            {versionNumber(version)} {toTyped(version.tinySummary)}
          </span>
        )}
      </div>
      <Clock store={store} />
      <SeekableWave store={store} version={version} aria-hidden="true" />
    </div>
  );
}
