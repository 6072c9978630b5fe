import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { createContext, useContext, useEffect, useId } from 'react';
import { useStableCallback } from '../hooks/use-stable-callback';
import type { SelectedRegion } from './new-post';

/** The timestamp of a post that is being written. */
export interface WrittenStamp {
  /** The box in which the post is written. */
  readonly boxId: string;
  readonly stamp: Stamp;
  /** Tags the post with the region that its timestamp grew into. */
  readonly tag: () => void;
}

/** How timestamps of posts that are being written grow into regions on the wave. */
export interface StampGrowth {
  /** That of the box that was stamped last; null for none. */
  readonly current: WrittenStamp | null;
  readonly show: (written: WrittenStamp) => void;
  readonly hide: (boxId: string) => void;
  /** The version on the wave; null if the user may not draw on it. */
  readonly versionId: Id | null;
  /** Seconds of that version. */
  readonly duration: number;
  /** Makes an unsaved region between the timestamp and another moment, and selects it; null discards it. */
  readonly grow: (stamp: Stamp, to: number | null) => void;
}

const nothing = () => undefined;

/** Provided by the page that shows the wave. */
export const StampGrowthContext = createContext<StampGrowth>({
  current: null,
  show: nothing,
  hide: nothing,
  versionId: null,
  duration: 0,
  grow: nothing,
});

/** The timestamp of a box that can grow, in seconds. */
export interface GrowingStamp {
  readonly at: number;
  /** The other end of the range that it has grown into; null while it is a moment. */
  readonly to: number | null;
  readonly duration: number;
  /** Null returns to the moment. */
  readonly growTo: (to: number | null) => void;
}

const SAME_MOMENT_SECONDS = 0.001;
const isSame = (a: number, b: number) => Math.abs(a - b) < SAME_MOMENT_SECONDS;

interface GrowingTag {
  /** The region that the post is tagged with. */
  readonly tagged: SelectedRegion | null;
  readonly setTagged: (isTagged: boolean) => void;
}

function otherEnd(at: number, tagged: SelectedRegion | null): number | null {
  if (tagged === null || !tagged.isDraft) return null;
  if (isSame(tagged.start, at)) return tagged.end;
  return isSame(tagged.end, at) ? tagged.start : null;
}

/** Lets the timestamp of a post grow into a region that the post is tagged with; null where that is not possible. */
export function useGrowingStamp(stamp: Stamp | null, { tagged, setTagged }: GrowingTag): GrowingStamp | null {
  const { show, hide, versionId, duration, grow } = useContext(StampGrowthContext);
  const boxId = useId();
  const tag = useStableCallback(() => setTagged(true));
  const growable = stamp?.versionId === versionId ? stamp : null;
  useEffect(() => {
    if (growable === null) return undefined;
    show({ boxId, stamp: growable, tag });
    return () => hide(boxId);
  }, [show, hide, boxId, growable, tag]);
  if (growable === null) return null;
  const growTo = (to: number | null) => {
    grow(growable, to);
    setTagged(to !== null);
  };
  return { at: growable.at, to: otherEnd(growable.at, tagged), duration, growTo };
}
