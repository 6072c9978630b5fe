import { LocateFixed } from 'lucide-react';
import { useStore } from '../../shared/hooks/store';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import { Button } from '../../shared/ui/button';
import { Kbd } from '../../shared/ui/kbd';
import type { PlayerStore } from './player-state';
import type { TrackView } from './use-track-view';
import { usePlayer } from './use-player';

interface FollowButtonProps {
  readonly store: PlayerStore;
  readonly view: Pick<TrackView, 'isFollowing' | 'scale' | 'visibleWidth' | 'reveal'>;
}

/** Shown when the user scrolls away during playback; a press follows the playhead again. */
export function FollowButton({ store, view: { isFollowing, scale, visibleWidth, reveal } }: FollowButtonProps) {
  const follows = useStore(isFollowing, (is) => is);
  const isPlaying = usePlayer(store, ({ playing }) => playing);
  const follow = () => {
    isFollowing.set(true);
    reveal(store.getSnapshot().position);
  };
  useShortcuts([{ keys: ['f'], label: 'Follow the playhead', run: follow }]);
  if (follows || !isPlaying || scale.width <= visibleWidth) return null;
  return (
    <Button size="s" className="follow" icon={LocateFixed} onPress={follow}>
      Follow
      <span className="only-l" aria-hidden="true">
        <Kbd>F</Kbd>
      </span>
    </Button>
  );
}
