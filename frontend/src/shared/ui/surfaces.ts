import { loadToasts } from './load-toasts';
import { loadTooltip } from './load-tooltip';

// Surfaces over the page are heavier than the page itself, so they are loaded after the first paint.
export const loadMenu = async () => ({ default: (await import('./menu-surface')).MenuSurface });
export const loadSelect = async () => ({ default: (await import('./select-surface')).SelectSurface });
export const loadPopover = async () => ({ default: (await import('./popover-surface')).PopoverSurface });
export const loadDialog = async () => ({ default: (await import('./dialog-surface')).DialogSurface });
/** Not preloaded: only pages with tabs need it. */
export const loadTabs = async () => ({ default: (await import('./tabs-surface')).TabsSurface });

/** Preloads every surface, so that the first press does not wait; call it after the first paint. */
export const preloadSurfaces = async (): Promise<void> => {
  await Promise.all([loadTooltip(), loadToasts(), loadMenu(), loadSelect(), loadPopover(), loadDialog()]);
};
