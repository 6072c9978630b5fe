const WORKER = '/service-worker.js';

/** The path of the script that started this page. */
const mainScript = (): string => {
  const { src } = document.querySelector<HTMLScriptElement>('script[type="module"][src]') ?? { src: document.baseURI };
  return new URL(src, document.baseURI).pathname;
};

/**
 * Keeps the code of the page in the browser, so that it opens offline and open tabs outlive deployments. Browsers without service workers, and sites
 * without TLS, do without.
 */
export async function registerServiceWorker(): Promise<void> {
  const { serviceWorker } = navigator as Partial<Pick<Navigator, 'serviceWorker'>>;
  if (serviceWorker === undefined) return;
  const registration = await serviceWorker.register(WORKER, { updateViaCache: 'none' });
  const offer = () => registration.waiting?.postMessage({ type: 'take-over', script: mainScript() });
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer));
  offer();
}
