import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { loadTooltip } from './load-tooltip';
import type { Tip } from './use-tooltip';

const TooltipSurface = lazy(async (): Promise<{ default: ComponentType<TooltipProps> }> => {
  try {
    return await loadTooltip();
  } catch {
    // Offline before it was preloaded: a button without a tooltip still works.
    return { default: NoTooltip };
  }
});

export interface TooltipProps {
  readonly tip: Tip;
  readonly keys?: string;
  readonly children: ReactNode;
}

const NoTooltip = () => null;

/** The name of an icon, on hover and on keyboard focus. Its surface is loaded when it is first needed. */
export function Tooltip(props: TooltipProps) {
  if (!props.tip.isWanted) return null;
  return (
    <Suspense fallback={null}>
      <TooltipSurface {...props} />
    </Suspense>
  );
}
