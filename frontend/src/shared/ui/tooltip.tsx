import { lazy, type ReactNode, Suspense } from 'react';
import { loadTooltip } from './surfaces';
import { useEver } from './use-ever';
import type { Tip } from './use-tooltip';

const TooltipSurface = lazy(loadTooltip);

export interface TooltipProps {
  readonly tip: Tip;
  readonly keys?: string;
  readonly children: ReactNode;
}

/** The words of a drawing, on rest and on keyboard focus. Its surface is loaded when first wanted. */
export function Tooltip({ tip, keys, children }: TooltipProps) {
  const wanted = useEver(tip.isOpen);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <TooltipSurface tip={tip} keys={keys}>
        {children}
      </TooltipSurface>
    </Suspense>
  );
}
