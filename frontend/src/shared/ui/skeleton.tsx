import type { CSSProperties } from 'react';
import './skeleton.css';

export interface SkeletonProps {
  /** CSS lengths, such as '60%' or '2rem'. */
  readonly width?: string;
  readonly height?: string;
}

/** A grey placeholder. */
export function Skeleton({ width, height }: SkeletonProps) {
  return <span className="sk" style={{ '--w': width, '--h': height } as CSSProperties} />;
}

/** Rows of a list that is loading, with the spec's texts for what is not there yet; visible only after 300 ms. */
export function SkeletonRows({ label, rows = 3 }: { readonly label: string; readonly rows?: number }) {
  return (
    <output className="sk-rows" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row}>
          <span className="sk-text" aria-hidden="true">
            {row === 0 ? 'Loading...' : '...'}
          </span>
          <Skeleton width="34%" height="0.55rem" />
        </span>
      ))}
    </output>
  );
}
