/** Apart from surfaces.ts, which the login page then does not carry. */
export const loadTooltip = async () => ({ default: (await import('./tooltip-surface')).TooltipSurface });
