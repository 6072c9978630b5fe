import { type PointerEvent, useContext, useRef } from 'react';
import { MoveHorizontal } from 'lucide-react';
import { StampGrowthContext } from '../../shared/posts/growing-stamp';
import { Icon } from '../../shared/ui/icon';
import type { Scale } from './shown-region';

/** Pointer movement to ignore, in pixels. */
const STILL_PX = 4;

/** The timestamp of the post that is being written, as a handle on the wave that is dragged into a region. From the keyboard, use the one in the box. */
export function StampMark({ scale }: { readonly scale: Scale }) {
  const { current, versionId, grow } = useContext(StampGrowthContext);
  const pressedAt = useRef<number | null>(null);
  const hasMoved = useRef(false);
  if (current === null || current.stamp.versionId !== versionId) return null;
  const { stamp, tag } = current;
  const press = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    pressedAt.current = event.clientX;
    hasMoved.current = false;
  };
  const move = ({ clientX }: PointerEvent) => {
    if (pressedAt.current === null) return;
    const by = clientX - pressedAt.current;
    hasMoved.current ||= Math.abs(by) >= STILL_PX;
    if (hasMoved.current) grow(stamp, stamp.at + by / scale.pxPerSecond);
  };
  const end = (isKept: boolean) => {
    pressedAt.current = null;
    if (!hasMoved.current) return;
    hasMoved.current = false;
    if (isKept) tag();
    else grow(stamp, null);
  };
  return (
    <i
      className="stamp-mark"
      style={{ left: scale.toX(stamp.at) }}
      aria-hidden="true"
      title="Drag to make a range"
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={() => end(true)}
      onPointerCancel={() => end(false)}
    >
      <Icon of={MoveHorizontal} size={14} />
    </i>
  );
}
