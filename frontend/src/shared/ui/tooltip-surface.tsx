import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components/Tooltip';
import { Kbd } from './kbd';
import type { TooltipProps } from './tooltip';
import './tooltip.css';

/** What tooltip.tsx fetches when it is first wanted. */
export function TooltipSurface({ tip, keys, children }: TooltipProps) {
  const state = { isOpen: tip.isOpen, open: () => tip.onOpenChange(true), close: () => tip.onOpenChange(false), shouldSkipAnimation: false };
  return (
    <TooltipTriggerStateContext value={state}>
      <Tooltip className="tip" triggerRef={tip.anchor} offset={6}>
        {children}
        {keys !== undefined && <Kbd>{keys}</Kbd>}
      </Tooltip>
    </TooltipTriggerStateContext>
  );
}
