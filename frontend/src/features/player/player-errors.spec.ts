import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { aPlayer, first, FakeMediaElement, playing } from './player-fixture';
import { createPlayerStore } from './player-store';

describe('interrupted audio', () => {
  test('a network error during playback is retried at the same position, once per position', () => {
    const { media, store } = playing();
    media.advanceTo(40);
    const breakOff = () => media.fail(2);
    breakOff();
    expect(store.getSnapshot()).toMatchObject({ playing: true, error: null, position: 40 });
    media.loadMetadata();
    expect(media.currentTime).toBe(40);
    breakOff();
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Unable to load media', position: 40 });

    store.play();
    media.loadMetadata();
    media.advanceTo(42);
    breakOff();
    expect(store.getSnapshot()).toMatchObject({ playing: true, error: null, position: 42 });
    expect(media.loaded).toHaveLength(4);
  });

  test('a network error while paused is retried by the next play, without an error message', () => {
    const { media, store } = playing();
    media.advanceTo(40);
    store.pause();
    media.fail(2);
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: null, position: 40 });
    expect(media.loaded).toHaveLength(1);

    store.play();
    media.loadMetadata();
    expect([media.loaded.length, media.currentTime]).toEqual([2, 40]);
  });
});

describe('a stall', () => {
  afterEach(() => void jest.useRealTimers());

  /** Plays and stalls; the URL was fetched this long ago. */
  function stalled(ageMs: number) {
    jest.useFakeTimers();
    const media = new FakeMediaElement();
    let now = 0;
    const store = createPlayerStore({ media, now: () => now });
    store.load(first);
    store.play();
    media.loadMetadata();
    media.advanceTo(60);
    now = ageMs;
    media.dispatchEvent(new Event('waiting'));
    return { media, store };
  }

  test('that lasts is shown as buffering until playback continues', () => {
    const { media, store } = stalled(0);
    expect(store.getSnapshot()).toMatchObject({ playing: true, isBuffering: false });
    jest.advanceTimersByTime(300);
    expect(store.getSnapshot()).toMatchObject({ playing: true, isBuffering: true });
    media.dispatchEvent(new Event('playing'));
    expect(store.getSnapshot().isBuffering).toBe(false);
  });

  test('reloads the audio at the playhead if its URL may have expired and no data arrives', () => {
    const { media, store } = stalled(5 * 60_000);
    expect(media.loaded).toHaveLength(1);
    jest.advanceTimersByTime(2_000);
    media.loadMetadata();
    expect([media.loaded.length, media.currentTime, store.getSnapshot().playing]).toEqual([2, 60, true]);
  });

  test('does not reload if the URL is fresh, the audio is buffered, or playback has continued', () => {
    const fresh = stalled(5 * 60_000 - 1);
    jest.advanceTimersByTime(60_000);
    expect(fresh.media.loaded).toHaveLength(1);

    const seeked = stalled(5 * 60_000);
    seeked.media.buffered = { length: 1, start: () => 50, end: () => 70 };
    jest.advanceTimersByTime(60_000);
    expect(seeked.media.loaded).toHaveLength(1);

    const gone = stalled(5 * 60_000);
    gone.media.dispatchEvent(new Event('playing'));
    jest.advanceTimersByTime(60_000);
    expect(gone.media.loaded).toHaveLength(1);
  });
});

describe('failures', () => {
  test('an autoplay block shows a message until the next attempt', async () => {
    const { media, store } = aPlayer();
    media.playError = new DOMException('no gesture', 'NotAllowedError');
    store.play();
    await Promise.resolve();

    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Your browser blocked playback. Press play again.' });
    media.loadMetadata();
    expect(store.getSnapshot()).toMatchObject({ ready: true, error: 'Your browser blocked playback. Press play again.' });

    media.playError = null;
    store.play();
    expect(store.getSnapshot()).toMatchObject({ playing: true, error: null });
  });

  test('a pause before playback starts is not a failure', async () => {
    const { media, store } = aPlayer();
    media.playError = new DOMException('paused', 'AbortError');
    store.play();
    await Promise.resolve();

    expect(store.getSnapshot().error).toBeNull();
  });

  test('a file that fails to load is fetched again by the next play', () => {
    const { media, store } = aPlayer();
    store.play();
    media.dispatchEvent(new Event('error'));
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Unable to load media' });

    store.play();
    expect(media.loaded).toEqual(['/api/media/v1/audio', '/api/media/v1/audio']);
  });

  test('the error is cleared when a failed file loads after all', () => {
    const { media, store } = aPlayer();
    store.play();
    media.fail(2);
    expect(store.getSnapshot().error).toBe('Unable to load media');

    store.prepare();
    expect(store.getSnapshot()).toMatchObject({ error: 'Unable to load media', playing: false });
    media.loadMetadata();
    expect(store.getSnapshot()).toMatchObject({ error: null, ready: true, playing: false });
    expect(media.loaded).toHaveLength(2);
  });

  test('a file that cannot be decoded is not retried automatically', () => {
    const { media, store } = playing();
    media.fail(3);
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Unable to load media' });
    expect(media.loaded).toHaveLength(1);
  });

  test('a pause by the system is shown on the page', () => {
    const { media, store } = playing();
    media.pause();
    media.dispatchEvent(new Event('pause'));

    expect(store.getSnapshot().playing).toBe(false);
  });
});

describe('an original that the browser cannot play', () => {
  test('is explained by its codec', () => {
    const { media, store } = aPlayer();
    store.load({ ...first, versionId: 'v5', codec: 'alac' });
    media.support = '';
    store.play();
    media.fail(4);
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'This browser cannot play ALAC.' });

    store.prepare();
    media.loadMetadata();
    expect(store.getSnapshot().error).toBeNull();
  });

  test('has failed no longer once it has a copy', () => {
    const { media, store } = aPlayer();
    store.load({ ...first, codec: 'alac' });
    media.support = '';
    store.play();
    media.fail(4);
    store.load({ ...first, codec: 'flac' });
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: null });

    store.play();
    expect(media.loaded).toHaveLength(2);
  });

  test('is followed by the copy if it fails after that has arrived, once', async () => {
    const { media, store } = aPlayer();
    store.load({ ...first, codec: 'alac' });
    store.seek(20);
    // Browsers reject the call after the event of the failure.
    media.playError = new DOMException('', 'NotSupportedError');
    store.play();
    media.playError = null;
    store.load({ ...first, codec: 'flac' });
    media.fail(4);
    await Promise.resolve();
    expect(store.getSnapshot()).toMatchObject({ playing: true, error: null, position: 20 });
    media.loadMetadata();
    expect([media.loaded.length, media.currentTime]).toEqual([2, 20]);

    media.fail(4);
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Unable to load media' });
  });
});

describe('a last frame that is cut', () => {
  test.each([
    ['ends the track if the error comes in the last second', 99.2, { playing: false, error: null, position: 100 }],
    ['is a failure before', 98.9, { playing: false, error: 'Unable to load media', position: 98.9 }],
  ])('%s', (_what, at, expected) => {
    const { media, store } = playing();
    media.advanceTo(at);
    media.fail(3);
    expect(store.getSnapshot()).toMatchObject(expected);
    expect(media.loaded).toHaveLength(1);

    store.play();
    expect(media.loaded).toHaveLength(2);
  });

  test('a loop to the end of a track whose last frame is cut goes on at its start', () => {
    const { media, store } = playing();
    store.setLoop({ start: 90, end: 100 });
    media.advanceTo(99.9);
    media.fail(3);
    media.loadMetadata();
    expect([media.currentTime, store.getSnapshot()]).toMatchObject([90, { playing: true, error: null }]);
  });
});
