import { loadTooltip } from './load-tooltip';

// What opens over the page weighs more than the page, so it comes after the first paint.
export const loadMenu = async () => ({ default: (await import('./menu-surface')).MenuSurface });
export const loadSelect = async () => ({ default: (await import('./select-surface')).SelectSurface });
export const loadPopover = async () => ({ default: (await import('./popover-surface')).PopoverSurface });
export const loadDialog = async () => ({ default: (await import('./dialog-surface')).DialogSurface });
/** Not among those fetched ahead: a page without tabs needs none. */
export const loadTabs = async () => ({ default: (await import('./tabs-surface')).TabsSurface });

/** Fetches everything that opens, so that the first press does not wait; call it once the page stands. */
export const preloadSurfaces = async (): Promise<void> => {
  await Promise.all([loadTooltip(), loadMenu(), loadSelect(), loadPopover(), loadDialog()]);
};
