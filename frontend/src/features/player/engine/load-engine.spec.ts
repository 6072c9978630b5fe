import { afterEach, expect, test } from '@jest/globals';
import { engineLoader } from './load-engine';

class Context {}
class ContextWithWorklets extends Context {
  get audioWorklet() {
    return {};
  }
}
const install = (parts: Record<string, unknown>) => Object.assign(globalThis, parts);
afterEach(() => {
  for (const name of ['AudioContext', 'AudioWorkletNode']) Reflect.deleteProperty(globalThis, name);
});
const hasEngine = () => engineLoader(document.createElement('audio')) !== null;

test('the engine for Web Audio is loaded only where contexts have worklets: over plain HTTP they have none, and the media element plays', () => {
  expect(hasEngine()).toBe(false);
  install({ AudioContext: Context, AudioWorkletNode: class {} });
  expect(hasEngine()).toBe(false);
  install({ AudioContext: ContextWithWorklets });
  expect(hasEngine()).toBe(true);
});
