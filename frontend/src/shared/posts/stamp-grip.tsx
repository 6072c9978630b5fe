import { toMillis } from '@roughmix/contracts/shared/span.js';
import { MoveHorizontal, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { formatClock, formatSpan } from '../format/time';
import { arrowSeconds } from '../ui/arrow-seconds';
import { Icon } from '../ui/icon';
import type { GrowingStamp } from './growing-stamp';
import styles from './stamp-grip.module.css';

/** Length of the range that a press makes. */
const PRESSED_SECONDS = 4;

const spanText = (at: number, to: number) => formatSpan(Math.min(at, to), Math.max(at, to));

/** Grows the timestamp of a post that is being written into a range: with the arrow keys, or by a press. The wave has a handle to drag. */
export function StampGrip({ growing: { at, to, duration, growTo } }: { readonly growing: GrowingStamp }) {
  /** Where the last key led: what is shown may follow a little later. */
  const last = useRef<number | null>(null);
  const forget = () => {
    last.current = null;
  };
  useEffect(() => {
    if (to === null) last.current = null;
  }, [to]);
  const press = () => {
    forget();
    if (to !== null) return growTo(null);
    growTo(at + PRESSED_SECONDS <= duration ? at + PRESSED_SECONDS : Math.max(0, at - PRESSED_SECONDS));
  };
  const step = (event: KeyboardEvent) => {
    const by = arrowSeconds(event);
    if (by === null) return;
    event.preventDefault();
    const next = toMillis(Math.min(Math.max((last.current ?? to ?? at) + by, 0), duration));
    last.current = next;
    growTo(next === at ? null : next);
  };
  return (
    <span
      className={styles['grip']}
      role="slider"
      tabIndex={0}
      title={to === null ? 'Make a range' : 'Back to the timestamp'}
      aria-label={`Range from ${formatClock(at)}`}
      aria-valuemin={0}
      aria-valuemax={duration}
      aria-valuenow={to ?? at}
      aria-valuetext={to === null ? 'no range' : spanText(at, to)}
      onClick={press}
      onKeyDown={step}
      onBlur={forget}
    >
      {to !== null && (
        <time>
          {to > at ? 'to' : 'from'} {formatClock(to)}
        </time>
      )}
      <Icon of={to === null ? MoveHorizontal : Undo2} size={12} />
    </span>
  );
}
