const KEY = 'roughmix.reloaded-at';
const ONCE_IN_MS = 60_000;
const PROBE_TIMEOUT_MS = 5_000;

/** The messages of different browsers for code that could not be fetched. */
const CODE_MISSING = /dynamically imported module|importing a module script|preload/i;

/** Whether the code of a part of the page could not be fetched: the network is away, or a newer build has replaced it. */
export const isCodeMissing = (error: unknown): boolean => error instanceof Error && CODE_MISSING.test(error.message);

/** Whether a reload would get a page: without a network or a server, the browser's own error page would replace the open one. */
async function isServed(): Promise<boolean> {
  try {
    return (await fetch(new URL('/', document.baseURI), { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}

/**
 * Reloads the page if code is missing although the server answers: a newer build has replaced it. At most once a minute, so that code that
 * cannot be loaded leads to an error message and not to endless reloads.
 * @returns whether it reloads
 */
export async function reloadForNewerBuild(reload: () => void = () => window.location.reload()): Promise<boolean> {
  const before = Number(sessionStorage.getItem(KEY) ?? '0');
  if (Date.now() - before < ONCE_IN_MS || !(await isServed())) return false;
  sessionStorage.setItem(KEY, String(Date.now()));
  reload();
  return true;
}
