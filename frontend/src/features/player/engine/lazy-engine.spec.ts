import { afterEach, expect, jest, test } from '@jest/globals';
import { FakeMediaElement, first } from '../player-fixture';
import { createPlayerStore } from '../player-store';
import { settled } from './engine-fixture';
import { ElementEngine } from './element-engine';
import type { CreateEngine } from './playback-engine';

afterEach(() => {
  jest.useRealTimers();
});

/** A player whose engine's code loads as `load` says; `made` counts the engines of that code. */
function aPlayerLoading(load: (create: CreateEngine) => Promise<CreateEngine>) {
  const media = new FakeMediaElement();
  const own = new FakeMediaElement();
  const made: ElementEngine[] = [];
  const create: CreateEngine = (host) => {
    const engine = new ElementEngine({ media: own }, host);
    made.push(engine);
    return engine;
  };
  const store = createPlayerStore({ media, loadEngine: () => load(create) });
  store.load(first);
  return { media, own, made, store };
}

test('the first play retries code that failed to preload', async () => {
  let attempts = 0;
  const { media, own, store } = aPlayerLoading((create) => ((attempts += 1) === 1 ? Promise.reject(new TypeError('offline')) : Promise.resolve(create)));
  store.warmUp();
  await settled();
  store.play();
  await settled();

  expect([attempts, own.loaded, media.loaded]).toEqual([2, [first.url], []]);
});

test('a play while the code is loading creates one engine', async () => {
  const { own, made, store } = aPlayerLoading((create) => Promise.resolve(create));
  store.warmUp();
  store.play();
  store.prepare();
  await settled();

  expect([made.length, own.loaded]).toEqual([1, [first.url]]);
});

test('without the code the media element plays', async () => {
  const { media, store } = aPlayerLoading(() => Promise.reject(new TypeError('offline')));
  store.play();
  await settled();

  expect(media.loaded).toEqual([first.url]);
  expect(store.getSnapshot()).toMatchObject({ playing: true, error: null });
});

test('a refused audio context also falls back to the media element', async () => {
  const refused: CreateEngine = () => {
    throw new DOMException('no device', 'NotSupportedError');
  };
  const { media, store } = aPlayerLoading(() => Promise.resolve(refused));
  store.play();
  await settled();

  expect(media.loaded).toEqual([first.url]);
});

test('code that takes too long also falls back to the media element', async () => {
  jest.useFakeTimers();
  const { media, store } = aPlayerLoading(() => new Promise(() => undefined));
  store.play();
  expect(store.getSnapshot()).toMatchObject({ playing: true, isBuffering: true });
  await jest.advanceTimersByTimeAsync(10_000);

  expect(media.loaded).toEqual([first.url]);
});
