import { isOfThisBuild } from './shell';

declare const self: ServiceWorkerGlobalScope;

/** What pages ask a waiting worker: to take over, if it is of the build of the page, whose main script this is. */
interface TakeOver {
  readonly type: 'take-over';
  readonly script: string;
}

const isTakeOver = (data: unknown): data is TakeOver => typeof data === 'object' && data !== null && 'type' in data && data.type === 'take-over';

/** Once this worker is active, the files of earlier builds are gone, so open pages of those keep theirs until they are closed. */
async function takeOver(script: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (pages.length === 1 && isOfThisBuild(script)) await self.skipWaiting();
}

/** Lets a new worker wait until no page of another build is open. */
export function takeOverWhenAlone(): void {
  self.addEventListener('message', (event) => {
    if (isTakeOver(event.data)) event.waitUntil(takeOver(event.data.script));
  });
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
}
