import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';

/** What a browser without a push service subscribes with. */
export interface GivenSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** What the worker did with the browser. */
export interface WorkerActs {
  readonly shown: readonly { readonly title: string; readonly body?: string; readonly icon?: string; readonly tag?: string; readonly data?: unknown }[];
  /** Paths of the pages that it focused. */
  readonly focused: readonly string[];
  readonly opened: readonly string[];
}

const KEY = 'given-subscription';

/**
 * The headless Chromium of the npm package has no push service ("push service not available") and shows no notifications ("No notification permission has
 * been granted"), whatever is granted. So these two interfaces of the browser are replaced, in the page and in the worker: subscribing gives the test's
 * endpoint and keys, and notifications are recorded. The rest is real: the permission's question aside, the page, the worker, its push event, the server.
 */
export async function givePushService(context: BrowserContext, given: GivenSubscription): Promise<void> {
  await context.addInitScript(
    ([key, subscription]) => {
      const current = () => {
        const applicationServerKey = localStorage.getItem(key);
        if (applicationServerKey === null) return null;
        const bytes = Uint8Array.from(atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.codePointAt(0) ?? 0);
        return {
          ...subscription,
          options: { applicationServerKey: bytes.buffer },
          toJSON: () => ({ ...subscription, expirationTime: null }),
          unsubscribe: async () => {
            localStorage.removeItem(key);
            return true;
          },
        };
      };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => current(),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          localStorage.setItem(key, applicationServerKey);
          return current();
        },
      });
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
      Object.assign(Notification, { requestPermission: async () => 'granted' });
    },
    [KEY, given] as const,
  );
}

/** Whether the page's browser has a subscription. */
export const isSubscribed = (page: Page): Promise<boolean> => page.evaluate((key) => localStorage.getItem(key) !== null, KEY);

/** The service worker of a page, driven from outside. */
export class DrivenWorker {
  private constructor(
    private readonly worker: Worker,
    private readonly devTools: CDPSession,
    private readonly registrationId: string,
  ) {}

  /** Waits until the page has its worker. */
  static async of(page: Page): Promise<DrivenWorker> {
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const context = page.context();
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const devTools = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => first !== undefined && resolve(first.registrationId));
    });
    await devTools.send('ServiceWorker.enable');
    const driven = new DrivenWorker(worker, devTools, await registered);
    await driven.record();
    return driven;
  }

  /** What the browser does when the push service has a message for it. */
  async push(origin: string, message: string): Promise<void> {
    await this.devTools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: this.registrationId, data: message });
  }

  /** A click on the notification that was shown last. */
  async click(): Promise<void> {
    await this.worker.evaluate(() => {
      const { shown } = (self as unknown as { acts: { shown: object[] } }).acts;
      self.dispatchEvent(
        Object.assign(new Event('notificationclick'), { notification: { ...shown.at(-1), close: () => undefined }, waitUntil: () => undefined }),
      );
    });
  }

  /** The browser has replaced its subscription. */
  async replaceSubscription({ endpoint, keys }: GivenSubscription): Promise<void> {
    await this.worker.evaluate(
      (subscription) => {
        const newSubscription = { toJSON: () => subscription };
        self.dispatchEvent(Object.assign(new Event('pushsubscriptionchange'), { newSubscription, waitUntil: () => undefined }));
      },
      { endpoint, keys },
    );
  }

  acts(): Promise<WorkerActs> {
    return this.worker.evaluate(() => (self as unknown as { acts: WorkerActs }).acts);
  }

  /** Notifications, and the windows that only a real click may focus or open. */
  private async record(): Promise<void> {
    await this.worker.evaluate(() => {
      const scope = self as unknown as Record<string, Record<string, unknown>> & { WindowClient: { prototype: object }; clients: object };
      const acts = { shown: [] as object[], focused: [] as string[], opened: [] as string[] };
      Object.assign(scope, { acts });
      Object.assign(scope['registration'] ?? {}, { showNotification: async (title: string, options: object) => void acts.shown.push({ title, ...options }) });
      Object.assign(scope.WindowClient.prototype, {
        async focus(this: { url: string }) {
          acts.focused.push(new URL(this.url).pathname);
          return this;
        },
      });
      Object.assign(scope.clients, {
        openWindow: async (url: string) => {
          acts.opened.push(url);
          return null;
        },
      });
    });
  }
}
