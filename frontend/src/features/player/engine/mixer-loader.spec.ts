import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MIXER_MS, mixerLoader } from './mixer-loader';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A loader whose attempts the spec ends. */
function loading(makeMixer = () => undefined) {
  const events: string[] = [];
  const attempts: { readonly url: string; readonly end: (error?: Error) => Promise<void> }[] = [];
  const load = mixerLoader({
    url: '/mixer.js',
    addModule: (url) =>
      new Promise((resolve, reject) => {
        const end = async (error?: Error) => {
          if (error) reject(error);
          else resolve();
          await jest.advanceTimersByTimeAsync(0);
        };
        attempts.push({ url, end });
      }),
    onLoaded: () => {
      events.push('loaded');
      makeMixer();
    },
    onMissing: () => void events.push('missing'),
  });
  return { load, events, attempts, urls: () => attempts.map(({ url }) => url) };
}

describe('the mixer', () => {
  test('that the browser refuses at once is missing only after the call, which an engine makes while it is constructed', async () => {
    const events: string[] = [];
    const context = {} as Pick<BaseAudioContext, 'audioWorklet'>;
    const load = mixerLoader({
      url: '/mixer.js',
      addModule: (url) => context.audioWorklet.addModule(url),
      onLoaded: () => void events.push('loaded'),
      onMissing: () => void events.push('missing'),
    });
    const ended = load();
    events.push('constructed');
    await ended;
    expect(events).toEqual(['constructed', 'missing']);
  });

  test('is loaded once', async () => {
    const { load, events, attempts, urls } = loading();
    void load();
    void load();
    await attempts[0]?.end();
    await load();
    await jest.advanceTimersByTimeAsync(MIXER_MS);
    expect([urls(), events]).toEqual([['/mixer.js'], ['loaded']]);
  });

  test('that is late is still used', async () => {
    const { load, events, attempts } = loading();
    void load();
    await jest.advanceTimersByTimeAsync(MIXER_MS);
    expect(events).toEqual(['missing']);
    await attempts[0]?.end();
    expect(events).toEqual(['missing', 'loaded']);
  });

  test('that failed to load is loaded again when it is wanted again, under an address of which no failure is remembered', async () => {
    const { load, events, attempts, urls } = loading();
    void load();
    await attempts[0]?.end(new Error('network'));
    expect(events).toEqual(['missing']);
    void load();
    await attempts[1]?.end();
    expect([urls(), events]).toEqual([
      ['/mixer.js', '/mixer.js#1'],
      ['missing', 'loaded'],
    ]);
  });

  test('that the browser cannot make is missing', async () => {
    const { load, events, attempts } = loading(() => {
      throw new Error('no node');
    });
    void load();
    await attempts[0]?.end();
    expect(events).toEqual(['loaded', 'missing']);
  });
});
