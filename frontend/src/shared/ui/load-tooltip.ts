/** Separate from surfaces.ts, which would otherwise be part of the login page. */
export const loadTooltip = async () => ({ default: (await import('./tooltip-surface')).TooltipSurface });
