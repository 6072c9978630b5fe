import { describe, expect, test } from '@jest/globals';
import { aPlayer, first, HandMedia, playing } from './player-given';
import { createPlayerStore } from './player-store';

describe('sound that stays away', () => {
  test('one that breaks off while it plays is asked for again where it was, and once in one place', () => {
    const { media, store } = playing();
    media.turnTo(40);
    const breakOff = () => media.fail(2);
    breakOff();
    expect(store.getSnapshot()).toMatchObject({ playing: true, error: null, position: 40 });
    media.arrive();
    expect(media.currentTime).toBe(40);
    breakOff();
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Unable to load media', position: 40 });

    store.play();
    media.arrive();
    media.turnTo(42);
    breakOff();
    expect(store.getSnapshot()).toMatchObject({ playing: true, error: null, position: 42 });
    expect(media.loaded).toHaveLength(4);
  });

  test('what breaks off while it is paused is asked for again at the next press, and nothing is said', () => {
    const { media, store } = playing();
    media.turnTo(40);
    store.pause();
    media.fail(2);
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: null, position: 40 });
    expect(media.loaded).toHaveLength(1);

    store.play();
    media.arrive();
    expect([media.loaded.length, media.currentTime]).toEqual([2, 40]);
  });

  test('what waits for sound is asked for again where it is, once the address of before may have died', () => {
    const media = new HandMedia();
    let now = 0;
    const store = createPlayerStore({ media, now: () => now });
    store.load(first);
    store.play();
    media.arrive();
    const wait = () => media.dispatchEvent(new Event('waiting'));
    now = 5 * 60_000 - 1;
    wait();
    expect(media.loaded).toHaveLength(1);
    now += 1;
    store.seek(60);
    wait();
    media.arrive();
    expect([media.loaded.length, media.currentTime, store.getSnapshot().playing]).toEqual([2, 60, true]);
    wait();
    expect(media.loaded).toHaveLength(2);
  });
});

describe('failures', () => {
  test('a refusal of the browser is said in a sentence, until the next try', async () => {
    const { media, store } = aPlayer();
    media.refuses = new DOMException('no gesture', 'NotAllowedError');
    store.play();
    await Promise.resolve();

    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Your browser blocked playback. Press play again.' });
    media.arrive();
    expect(store.getSnapshot()).toMatchObject({ ready: true, error: 'Your browser blocked playback. Press play again.' });

    media.refuses = null;
    store.play();
    expect(store.getSnapshot()).toMatchObject({ playing: true, error: null });
  });

  test('a pause before the sound began is no failure', async () => {
    const { media, store } = aPlayer();
    media.refuses = new DOMException('paused', 'AbortError');
    store.play();
    await Promise.resolve();

    expect(store.getSnapshot().error).toBeNull();
  });

  test('a file that does not come is asked for again at the next press', () => {
    const { media, store } = aPlayer();
    store.play();
    media.dispatchEvent(new Event('error'));
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Unable to load media' });

    store.play();
    expect(media.loaded).toEqual(['/api/media/v1/audio', '/api/media/v1/audio']);
  });

  test('a file that did not come and comes after all is no failure any more', () => {
    const { media, store } = aPlayer();
    store.play();
    media.fail(2);
    expect(store.getSnapshot().error).toBe('Unable to load media');

    store.prepare();
    expect(store.getSnapshot()).toMatchObject({ error: 'Unable to load media', playing: false });
    media.arrive();
    expect(store.getSnapshot()).toMatchObject({ error: null, ready: true, playing: false });
    expect(media.loaded).toHaveLength(2);
  });

  test('what cannot be decoded is not asked for again by itself', () => {
    const { media, store } = playing();
    media.fail(3);
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Unable to load media' });
    expect(media.loaded).toHaveLength(1);
  });

  test('when the system stops the sound, the page says so', () => {
    const { media, store } = playing();
    media.pause();
    media.dispatchEvent(new Event('pause'));

    expect(store.getSnapshot().playing).toBe(false);
  });
});
