import type { CreateEngine } from './playback-engine';

/** Over plain HTTP a context has no worklets, although the browser has their nodes. */
const hasWebAudio = (): boolean => typeof AudioContext === 'function' && typeof AudioWorkletNode === 'function' && 'audioWorklet' in AudioContext.prototype;

const load = () => import('./create-web-engine');

/** Loads the engine's code; null if the browser has no Web Audio or no worklets. */
export const engineLoader = (media: HTMLMediaElement): (() => Promise<CreateEngine>) | null =>
  hasWebAudio() ? async () => (await load()).createWebEngine(media) : null;

/** Loads the engine's code ahead of the first play; call it after the first paint. */
export const preloadEngine = async (): Promise<void> => {
  if (hasWebAudio()) await (await load()).preloadMixer();
};
