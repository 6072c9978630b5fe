import { Tooltip } from 'react-aria-components/Tooltip';
import { Kbd } from './kbd';
import type { TooltipProps } from './tooltip';
import './tooltip.css';

/** What tooltip.tsx fetches when it is first wanted. */
export function TooltipSurface({ tip, keys, children }: TooltipProps) {
  return (
    <Tooltip className="tip" triggerRef={tip.anchor} isOpen={tip.isOpen} onOpenChange={tip.onOpenChange} offset={6}>
      {children}
      {keys !== undefined && <Kbd>{keys}</Kbd>}
    </Tooltip>
  );
}
