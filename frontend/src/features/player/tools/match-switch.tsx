import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { formatGain, formatLoudness } from '../../../shared/format/loudness';
import { quietestOf } from '../../../shared/project/loudness-match';
import { useShortcuts } from '../../../shared/shortcuts/use-shortcuts';
import { Switch } from '../../../shared/ui/switch';
import type { PlayerStore } from '../player-state';
import { tracksOf } from '../track';
import { usePlayer } from '../use-player';
import './tools.css';

export interface MatchSwitchProps {
  readonly store: PlayerStore;
  readonly version: VersionView;
  readonly versions: readonly VersionView[];
}

/** The version's loudness, and by how much it is turned down. */
function MatchedBy({ store, version, versions }: MatchSwitchProps) {
  const isMatched = usePlayer(store, (state) => state.isMatched);
  const gainDb = usePlayer(store, (state) => state.gainDb);
  const loudness = version.analysis?.loudness ?? null;
  if (version.state === 'analysing') return 'Measuring loudness';
  if (loudness === null) return version.state === 'ready' ? 'Silent, not matched' : 'Not measured';
  if (!isMatched || quietestOf(tracksOf(versions)) === null) return formatLoudness(loudness);
  return `${formatLoudness(loudness)}, ${formatGain(gainDb)}`;
}

/** Turns the versions of the project down to the quietest; hidden for a single version. */
export function MatchSwitch(props: MatchSwitchProps) {
  const { store, versions } = props;
  const isMatched = usePlayer(store, (state) => state.isMatched);
  const isUseful = versions.length > 1;
  useShortcuts([{ keys: ['m'], label: 'Match loudness', run: () => store.setMatched(!store.getSnapshot().isMatched), isEnabled: isUseful }]);
  if (!isUseful) return null;
  return (
    <div className="match">
      <Switch label="Match loudness" isSounding isSelected={isMatched} onChange={store.setMatched} />
      <span className="meta">
        <MatchedBy {...props} />
      </span>
    </div>
  );
}
