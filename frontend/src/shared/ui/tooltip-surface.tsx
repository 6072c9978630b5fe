import { type Ref, useContext, useEffect, useImperativeHandle } from 'react';
import { Focusable, Tooltip, TooltipTrigger, TooltipTriggerStateContext } from 'react-aria-components/Tooltip';
import { Kbd } from './kbd';
import type { TooltipProps } from './tooltip';
import styles from './tooltip.module.css';
import type { Tip, TooltipEvents } from './use-tooltip';

const OPEN_AFTER_MS = 600;
/** Long enough for the pointer to cross the gap into the tooltip, which then stays open. */
const CLOSE_AFTER_MS = 250;

interface TriggerBridgeProps extends TooltipEvents {
  readonly tip: Tip;
  readonly ref?: Ref<HTMLButtonElement | null>;
}

/** Stands in for the button, which was on the page before react-aria was loaded: passes its ref on and its events back. */
function TriggerBridge({ tip, ref, ...events }: TriggerBridgeProps) {
  const { anchor } = tip;
  const state = useContext(TooltipTriggerStateContext);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => anchor.current, [anchor]);
  useEffect(() => {
    tip.events.current = {
      ...events,
      onPointerLeave: (event) => {
        events.onPointerLeave?.(event);
        // React-aria sees no end of a hover that began before it was loaded.
        state?.close();
      },
    };
  });
  useEffect(() => {
    if (tip.isHovered.current) state?.open();
    else if (anchor.current?.matches(':focus-visible')) state?.open(true);
    // oxlint-disable-next-line react/exhaustive-deps -- only for what happened before this was loaded
  }, []);
  return null;
}

/** Loaded by tooltip.tsx when it is first needed. */
export function TooltipSurface({ tip, keys, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={OPEN_AFTER_MS} closeDelay={CLOSE_AFTER_MS}>
      <Focusable>
        <TriggerBridge tip={tip} />
      </Focusable>
      {/* In the top layer, or a dialog would make it inert and it could not be hovered. */}
      <Tooltip className={styles.tip} offset={6} data-react-aria-top-layer="true">
        {children}
        {keys !== undefined && <Kbd>{keys}</Kbd>}
      </Tooltip>
    </TooltipTrigger>
  );
}
