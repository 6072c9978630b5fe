const KEY = 'roughmix.reloaded-at';
const ONCE_IN_MS = 60_000;
const PROBE_TIMEOUT_MS = 5_000;

/** Whether a reload would get a page: without a network or a server, the browser's own error page would replace the open one. */
async function isServed(): Promise<boolean> {
  try {
    return (await fetch(new URL('/', document.baseURI), { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}

/**
 * A tab left open over an upgrade asks for parts that are gone: it reloads the page to get the new ones. At most once a minute, so that
 * a part that cannot be loaded leads to the page's error state and not to endless reloads.
 */
export function reloadForNewerPage(page: Window, reload: () => void = () => page.location.reload()): void {
  let isProbing = false;
  page.addEventListener('vite:preloadError', () => {
    const before = Number(page.sessionStorage.getItem(KEY) ?? '0');
    if (isProbing || Date.now() - before < ONCE_IN_MS) return;
    isProbing = true;
    void isServed().then((served) => {
      isProbing = false;
      if (!served) return;
      page.sessionStorage.setItem(KEY, String(Date.now()));
      reload();
    });
  });
}
