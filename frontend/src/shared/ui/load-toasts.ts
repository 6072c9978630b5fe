/** Separate from surfaces.ts, which would otherwise be part of the login page. */
export const loadToasts = async () => ({ default: (await import('./toast-list')).ToastList });
