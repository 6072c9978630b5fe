/** Versions that wait for the mixer play from the stream after this timeout. */
export const MIXER_MS = 15_000;

interface MixerLoaderOptions {
  readonly url: string;
  readonly addModule: (url: string) => Promise<void>;
  /** @throws if the browser cannot make the mixer */
  readonly onLoaded: () => void;
  /** The load failed, or takes too long; it may still succeed. */
  readonly onMissing: () => void;
}

/** Returns a function that loads the mixer unless it is loaded or being loaded; after a failed load it tries again. A mixer that loads after the timeout is still used. */
export function mixerLoader({ url, addModule, onLoaded, onMissing }: MixerLoaderOptions): () => Promise<void> {
  let attempts = 0;
  let isStarted = false;
  return async () => {
    if (isStarted) return;
    isStarted = true;
    // Browsers may remember that a module failed by its address. The fragment is not part of the request.
    const address = attempts === 0 ? url : `${url}#${attempts}`;
    attempts += 1;
    const timer = setTimeout(onMissing, MIXER_MS);
    try {
      // An async call, because a context without worklets throws at once, and an engine that is being constructed is not ready for `onMissing`.
      await (async () => addModule(address))();
      onLoaded();
    } catch {
      isStarted = false;
      onMissing();
    } finally {
      clearTimeout(timer);
    }
  };
}
