const { TestEnvironment } = require('jest-environment-jsdom');
const { quickenComputedStyle } = require('./computed-style.cjs');

// jsdom has the page's DOM but not these, which Node has and every browser too.
const fromNode = [
  'TextEncoder',
  'TextDecoder',
  'TextEncoderStream',
  'TextDecoderStream',
  'Response',
  'Headers',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'CompressionStream',
  'DecompressionStream',
  'structuredClone',
];

// Node's fetch takes no AbortSignal but Node's own, and jsdom's addEventListener none but jsdom's. The page keeps jsdom's, so a fetch gets one of Node's that follows it.
function nodeSignalOf(signal) {
  if (!signal || signal instanceof AbortSignal) return signal;
  const follower = new AbortController();
  const abort = () => follower.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return follower.signal;
}

const withNodeSignal = (init) => (init?.signal ? { ...init, signal: nodeSignalOf(init.signal) } : init);

class PageRequest extends Request {
  constructor(input, init) {
    super(input, withNodeSignal(init));
  }
}

const pageFetch = (input, init) => fetch(input, withNodeSignal(init));

// React's scheduler would hold the run open for ever with a MessageChannel of Node; without one it uses timers.
class UnheldBroadcastChannel extends BroadcastChannel {
  constructor(name) {
    super(name);
    this.unref();
  }
}

let files = 0;

/** jsdom with what Node knows and jsdom does not; media queries match nothing and sizes are never observed. */
module.exports = class PageEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of fromNode) this.global[name] ??= globalThis[name];
    this.global.fetch ??= pageFetch;
    this.global.Request ??= PageRequest;
    const { window } = this.global;
    window.BroadcastChannel ??= UnheldBroadcastChannel;
    window.matchMedia ??= (media) => Object.assign(new window.EventTarget(), { media, matches: false, onchange: null });
    window.ResizeObserver ??= class ResizeObserver {
      observe() {}
      unobserve() {}
      disconnect() {}
    };
    window.IntersectionObserver ??= class IntersectionObserver {
      observe() {}
      unobserve() {}
      disconnect() {}
    };
    window.PointerEvent ??= pointerEventOf(window);
    window.Element.prototype.scrollIntoView ??= () => {};
    // No media plays here; jsdom would log each call as an error.
    for (const name of ['pause', 'load']) window.HTMLMediaElement.prototype[name] = () => {};
    // Sheets that a script makes and gives to a shadow root: kept and never applied, as all styles here.
    window.CSSStyleSheet.prototype.replaceSync ??= () => {};
    if (!('adoptedStyleSheets' in window.ShadowRoot.prototype)) window.ShadowRoot.prototype.adoptedStyleSheets = [];
    quickenComputedStyle(window);
    window.scrollTo = () => {};
    // jsdom loads no images, so the address of a file need not lead to it.
    window.URL.createObjectURL ??= () => `blob:${++files}`;
    window.URL.revokeObjectURL ??= () => {};
  }
};

function pointerEventOf({ MouseEvent }) {
  return class PointerEvent extends MouseEvent {
    constructor(type, init = {}) {
      super(type, init);
      for (const name of ['pointerId', 'pointerType', 'isPrimary', 'pressure', 'width', 'height']) {
        Object.defineProperty(this, name, { value: init[name] ?? { pointerType: '', isPrimary: false }[name] ?? 0, configurable: true });
      }
    }
  };
}
