import { describe, expect, test } from '@jest/globals';
import { aPlayer, first, playing, second } from './player-given';

describe('fetching', () => {
  test('nothing is fetched before the first play, and seeking alone fetches nothing', () => {
    const { media, store } = aPlayer();
    store.seek(30);

    expect(media.preload).toBe('none');
    expect(media.loaded).toEqual([]);
    expect(store.getSnapshot()).toMatchObject({ versionId: 'v1', playing: false, position: 30, duration: 100, ready: false });
  });

  test('what somebody is about to play is fetched ahead of the press, once, and a failure is told by the press', () => {
    const { media, store } = aPlayer();
    store.prepare();
    store.prepare();
    expect([media.preload, media.loaded.length, store.getSnapshot().playing]).toEqual(['auto', 1, false]);

    media.fail(3);
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: null });
    store.play();
    media.fail(3);
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Unable to load media' });
    expect(media.loaded).toHaveLength(2);
  });

  test('play says at once that it plays, and begins where somebody sought', () => {
    const { media, store } = aPlayer();
    store.seek(30);
    store.play();

    expect(store.getSnapshot().playing).toBe(true);
    expect(media.loaded).toEqual(['/api/media/v1/audio']);

    media.arrive();
    expect(media.currentTime).toBe(30);
    expect(store.getSnapshot().ready).toBe(true);
  });
});

describe('another version', () => {
  test('the playhead stays and what plays plays on', () => {
    const { media, store } = playing();
    media.turnTo(42);
    store.load(second);
    media.arrive();

    expect(media.src).toBe('/api/media/v2/audio');
    expect(media.currentTime).toBe(42);
    expect(store.getSnapshot()).toMatchObject({ versionId: 'v2', playing: true, position: 42, duration: 60 });
  });

  test('a shorter one takes the playhead to its end at most', () => {
    const { store } = aPlayer();
    store.seek(90);
    store.load(second);

    expect(store.getSnapshot().position).toBe(60);
  });

  test('at rest the old source is let go of and the new one is not fetched', () => {
    const { media, store } = playing();
    store.pause();
    store.load(second);

    expect(media.src).toBe('');
    expect(store.getSnapshot()).toMatchObject({ versionId: 'v2', playing: false, ready: false });
  });

  test('the same version again changes nothing', () => {
    const { media, store } = playing();
    media.turnTo(10);
    store.load({ ...first });

    expect(media.loaded).toHaveLength(1);
    expect(store.getSnapshot().position).toBe(10);
  });
});

describe('moving', () => {
  test('seeking stays within the track, rewind goes to its start, nudge moves from the playhead', () => {
    const { store } = aPlayer();
    const positions = [() => store.seek(250), () => store.nudge(-5), () => store.seek(-3), () => store.nudge(5), () => store.rewind()].map((act) => {
      act();
      return store.getSnapshot().position;
    });

    expect(positions).toEqual([100, 95, 0, 5, 0]);
  });

  test('play at the end begins at the start', () => {
    const { store } = aPlayer();
    store.seek(100);
    store.play();

    expect(store.getSnapshot().position).toBe(0);
  });

  test('the end of the file stops it', () => {
    const { media, store } = playing();
    media.dispatchEvent(new Event('ended'));

    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 100 });
  });
});

describe('loops and parts', () => {
  test('a loop turns round at its end', () => {
    const { media, store } = playing();
    store.setLoop({ start: 10, end: 20 });
    expect(media.currentTime).toBe(10);

    media.turnTo(19.9);
    media.turnTo(20.01);
    expect(media.currentTime).toBe(10);
    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 10 });
  });

  test('who seeks beyond a loop is not called back', () => {
    const { media, store } = playing();
    store.setLoop({ start: 10, end: 20 });
    store.seek(50);
    media.turnTo(51);

    expect(store.getSnapshot().position).toBe(51);
  });

  test('a loop to the end of the file goes on when the file ends', () => {
    const { media, store } = playing();
    store.setLoop({ start: 90, end: 100 });
    media.turnTo(99.95);
    media.dispatchEvent(new Event('ended'));

    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 90 });
  });

  test('a part is played once and stops at its end', () => {
    const { media, store } = playing();
    store.playSpan({ start: 30, end: 35 });
    expect(media.currentTime).toBe(30);

    media.turnTo(35.02);
    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 35 });
  });

  test('seeking while a part plays lets it play on', () => {
    const { media, store } = playing();
    store.playSpan({ start: 30, end: 35 });
    store.seek(34);
    media.turnTo(36);

    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 36 });
  });
});

describe('sound', () => {
  test('volume and mute are kept for the next visit', () => {
    localStorage.clear();
    const { store } = aPlayer(localStorage);
    store.setVolume(0.4);
    store.setMuted(true);
    const { media, store: next } = aPlayer(localStorage);

    expect(next.getSnapshot()).toMatchObject({ volume: 0.4, muted: true });
    expect([media.volume, media.muted]).toEqual([0.4, true]);
  });

  test('what somebody else left in the storage is not taken for a volume', () => {
    localStorage.setItem('roughmix.volume', '{"volume":7,"muted":"no"}');

    expect(aPlayer(localStorage).store.getSnapshot()).toMatchObject({ volume: 1, muted: false });
  });
});
