import { matchPrecache, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

/** The files of this build (frontend/service-worker.mjs). */
declare const SHELL: readonly PrecacheEntry[];

const APP = '/index.html';
/** After this time without an answer the network counts as away. */
const ANSWER_MS = 5_000;
/** Never answered from here: data, and pages that are not the app's. */
const NOT_THE_APP = [/^\/(?:api|socket\.io|health|docs|metrics)(?:\/|$)/];
/** A proxy's answers for a server that is away. */
const FIRST_AWAY = 502;
const LAST_AWAY = 504;

/**
 * A page: from the server, which knows the newest build and the public pages; while it is away, the app. A response that comes too late is dropped,
 * because the browser has a page by then.
 */
async function answerNavigation({ request }: { readonly request: Request }): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_MS);
  try {
    const response = await fetch(request, { signal: late.signal });
    if (response.status < FIRST_AWAY || response.status > LAST_AWAY) return response;
    return (await matchPrecache(APP)) ?? response;
  } catch (error) {
    const app = await matchPrecache(APP);
    if (app === undefined) throw error;
    return app;
  } finally {
    clearTimeout(timer);
  }
}

/** Keeps this build's files, so that everything in it opens offline. Nothing else is cached. */
export function serveShell(): void {
  precacheAndRoute([...SHELL], { cleanURLs: false, directoryIndex: '' });
  // Of a build whose worker is not active yet.
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
    async ({ request }) => (await caches.match(request)) ?? fetch(request),
  );
  registerRoute(new NavigationRoute(answerNavigation, { denylist: NOT_THE_APP }));
}

/** Whether a script belongs to this build. */
export const isOfThisBuild = (path: string): boolean => SHELL.some((entry) => entry.url === path);
