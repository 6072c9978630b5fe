const KEY_BYTES = 65;

/** What jsdom lacks of a browser that can receive push messages: the permission, a service worker, a push service. */
export class PushBrowser {
  permission: NotificationPermission = 'default';
  /** What the user answers to the browser's question. */
  answer: NotificationPermission = 'granted';
  /** The push service cannot be reached. */
  isAway = false;
  /** The page came over HTTPS, or from this machine. */
  isSecure = true;
  /** How often the browser has asked. */
  questions = 0;
  /** The endpoint of the subscription; null without one. */
  endpoint: string | null = null;
  /** The key that it was made for. */
  key = '';
  private subscriptions = 0;
  private readonly messages = new EventTarget();

  /** Gives the page these parts. */
  install(): this {
    const registration = { pushManager: this.manager(), waiting: null, installing: null, addEventListener: () => undefined };
    const serviceWorker = Object.assign(this.messages, {
      ready: Promise.resolve(registration),
      register: () => Promise.resolve(registration),
      getRegistration: () => Promise.resolve(registration),
    });
    const notification = {
      requestPermission: async () => {
        this.questions += 1;
        this.permission = this.answer;
        return this.permission;
      },
    };
    Object.defineProperty(notification, 'permission', { get: () => this.permission });
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
    Object.defineProperty(window, 'isSecureContext', { configurable: true, get: () => this.isSecure });
    for (const [name, value] of [
      ['PushManager', {}],
      ['Notification', notification],
    ] as const)
      Object.defineProperty(window, name, { configurable: true, value });
    return this;
  }

  remove(): void {
    Reflect.deleteProperty(navigator, 'serviceWorker');
    for (const name of ['PushManager', 'Notification', 'isSecureContext']) Reflect.deleteProperty(window, name);
    localStorage.clear();
  }

  /** A message of the service worker. @returns whether the page replied */
  async tell(data: unknown): Promise<boolean> {
    const replies: unknown[] = [];
    this.messages.dispatchEvent(Object.assign(new Event('message'), { data, ports: [{ postMessage: (reply: unknown) => replies.push(reply) }] }));
    return replies.length > 0;
  }

  private manager() {
    return {
      getSubscription: async () => this.subscription(),
      subscribe: async ({ applicationServerKey }: { readonly applicationServerKey: string }) => {
        if (this.isAway) throw new DOMException('Registration failed - push service error', 'AbortError');
        this.subscriptions += 1;
        [this.endpoint, this.key] = [`https://push.example.org/${this.subscriptions}`, applicationServerKey];
        return this.subscription();
      },
    };
  }

  private subscription() {
    const { endpoint, key } = this;
    if (endpoint === null) return null;
    return {
      endpoint,
      options: { applicationServerKey: Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.codePointAt(0) ?? 0).buffer },
      toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: 'p', auth: 'a' } }),
      unsubscribe: async () => {
        this.endpoint = null;
        return true;
      },
    };
  }
}

/** A server's key of 65 bytes in base64url, all of this value. */
export const serverKey = (value: number): string =>
  btoa(String.fromCodePoint(...Array.from({ length: KEY_BYTES }, () => value)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
