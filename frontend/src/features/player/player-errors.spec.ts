import { describe, expect, test } from '@jest/globals';
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

  test('a stall reloads the audio at the playhead once its URL may have expired', () => {
    const media = new FakeMediaElement();
    let now = 0;
    const store = createPlayerStore({ media, now: () => now });
    store.load(first);
    store.play();
    media.loadMetadata();
    const wait = () => media.dispatchEvent(new Event('waiting'));
    now = 5 * 60_000 - 1;
    wait();
    expect(media.loaded).toHaveLength(1);
    now += 1;
    store.seek(60);
    wait();
    media.loadMetadata();
    expect([media.loaded.length, media.currentTime, store.getSnapshot().playing]).toEqual([2, 60, true]);
    wait();
    expect(media.loaded).toHaveLength(2);
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
