const KEY = 'roughmix.reloaded-at';
const ONCE_IN_MS = 60_000;

/**
 * A tab that was open during an upgrade requests chunks that no longer exist, so the page is reloaded at its current address. At most once a minute: a chunk
 * that stays missing leads to the error state, not to a reload loop.
 */
export function reloadForNewerPage(page: Window): void {
  page.addEventListener('vite:preloadError', (event) => {
    const before = Number(page.sessionStorage.getItem(KEY) ?? '0');
    if (Date.now() - before < ONCE_IN_MS) return;
    event.preventDefault();
    page.sessionStorage.setItem(KEY, String(Date.now()));
    page.location.reload();
  });
}
