const KEY = 'roughmix.reloaded-at';
const ONCE_IN_MS = 60_000;

/**
 * A tab that stayed open over an upgrade asks for parts that are gone: then the page is loaded anew, where one was. Not again within a
 * minute, so that a part that never comes leads to the page's error state and not to a circle.
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
