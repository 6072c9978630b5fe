import { classNames } from '../../shared/ui/class-names';
import styles from './post-range.module.css';
import type { PlayerStore } from './player-state';
import { usePlayer } from './use-player';
import type { SelectedSpan } from './use-player-keys';
import type { WaveView } from './use-track-view';

export interface PostRangeProps {
  readonly span: Omit<SelectedSpan, 'id'>;
  readonly view: Pick<WaveView, 'scale'>;
}

/** The selected range or timestamp of a post or link on the wave, which is not a region. */
export function PostRange({ span: { start, end, isMoment = false }, view: { scale } }: PostRangeProps) {
  const left = scale.toX(start);
  const width = isMoment ? undefined : scale.toX(end) - left;
  return <i className={classNames(styles['range'], isMoment && styles['moment'])} style={{ left, width }} aria-hidden="true" />;
}

/** The loop of a region that the open version does not show. */
export function LoopRange({ store, view }: { readonly store: PlayerStore } & Pick<PostRangeProps, 'view'>) {
  const part = usePlayer(store, ({ loop, duration }) => (loop !== null && loop.end - loop.start < duration ? loop : null));
  return part && <PostRange span={part} view={view} />;
}
