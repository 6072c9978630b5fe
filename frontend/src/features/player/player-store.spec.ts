import { describe, expect, test } from '@jest/globals';
import { aPlayer, first, playing, second } from './player-fixture';
import { resumePlayback } from './resume-playback';

describe('fetching', () => {
  test('nothing is fetched before the first play, and seeking alone fetches nothing', () => {
    const { media, store } = aPlayer();
    store.seek(30);

    expect(media.preload).toBe('none');
    expect(media.loaded).toEqual([]);
    expect(store.getSnapshot()).toMatchObject({ versionId: 'v1', playing: false, position: 30, duration: 100, ready: false });
  });

  test('prepare fetches the audio once, ahead of play, and a failure is reported when play is pressed', () => {
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

  test('play shows as playing immediately, and starts at the sought position', () => {
    const { media, store } = aPlayer();
    store.seek(30);
    store.play();

    expect(store.getSnapshot().playing).toBe(true);
    expect(media.loaded).toEqual(['/api/media/v1/audio']);

    media.loadMetadata();
    expect(media.currentTime).toBe(30);
    expect(store.getSnapshot().ready).toBe(true);
  });
});

describe('another version', () => {
  test('the playhead and playback continue', () => {
    const { media, store } = playing();
    media.advanceTo(42);
    store.load(second);
    media.loadMetadata();

    expect(media.src).toBe('/api/media/v2/audio');
    expect(media.currentTime).toBe(42);
    expect(store.getSnapshot()).toMatchObject({ versionId: 'v2', playing: true, position: 42, duration: 60 });
  });

  test('a shorter version keeps the playhead and has ended; the longer one continues there', () => {
    const { store } = aPlayer();
    store.seek(90);
    store.load(second);
    expect(store.getSnapshot()).toMatchObject({ position: 90, duration: 60, hasEnded: true });
    store.load(first);
    expect(store.getSnapshot()).toMatchObject({ position: 90, duration: 100, hasEnded: false });
  });

  test('beyond the end of a shorter version, seeking stays within it and play starts over', () => {
    const { store } = aPlayer();
    store.seek(90);
    store.load(second);
    store.nudge(-5);
    expect(store.getSnapshot()).toMatchObject({ position: 60, hasEnded: false });
    store.play();
    expect(store.getSnapshot()).toMatchObject({ position: 0, hasEnded: false, playing: true });
  });

  test('a paused player releases the old source and does not fetch the new one', () => {
    const { media, store } = playing();
    store.pause();
    store.load(second);

    expect(media.src).toBe('');
    expect(store.getSnapshot()).toMatchObject({ versionId: 'v2', playing: false, ready: false });
  });

  test('loading the same version again changes nothing', () => {
    const { media, store } = playing();
    media.advanceTo(10);
    store.load({ ...first });

    expect(media.loaded).toHaveLength(1);
    expect(store.getSnapshot().position).toBe(10);
  });
});

describe('moving', () => {
  test('seeking is clamped to the track, rewind seeks to its start, nudge seeks relative to the playhead', () => {
    const { store } = aPlayer();
    const positions = [() => store.seek(250), () => store.nudge(-5), () => store.seek(-3), () => store.nudge(5), () => store.rewind()].map((act) => {
      act();
      return store.getSnapshot().position;
    });

    expect(positions).toEqual([100, 95, 0, 5, 0]);
  });

  test('play at the end starts over', () => {
    const { store } = aPlayer();
    store.seek(100);
    store.play();

    expect(store.getSnapshot().position).toBe(0);
  });

  test('playback stops at the end of the file', () => {
    const { media, store } = playing();
    media.dispatchEvent(new Event('ended'));

    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 100 });
  });
});

describe('loops', () => {
  test('a loop repeats from its start', () => {
    const { media, store } = playing();
    store.setLoop({ start: 10, end: 20 });
    expect(media.currentTime).toBe(10);

    media.advanceTo(19.9);
    media.advanceTo(20.01);
    expect(media.currentTime).toBe(10);
    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 10 });
  });

  test('seeking beyond a loop leaves the loop', () => {
    const { media, store } = playing();
    store.setLoop({ start: 10, end: 20 });
    store.seek(50);
    media.advanceTo(51);

    expect(store.getSnapshot().position).toBe(51);
  });

  test('a loop to the end of the file repeats when the file ends', () => {
    const { media, store } = playing();
    store.setLoop({ start: 90, end: 100 });
    media.advanceTo(99.95);
    media.dispatchEvent(new Event('ended'));

    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 90 });
  });

  test('a loop beyond the end of the track does not repeat', () => {
    const { media, store } = playing();
    store.setLoop({ start: 90, end: 100 });
    store.load(second);
    media.loadMetadata();
    media.dispatchEvent(new Event('ended'));

    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 60 });
  });
});

describe('spans', () => {
  test('a loop around a span takes precedence over its end', () => {
    const { media, store } = playing();
    store.playSpan({ start: 30, end: 35 });
    store.setLoop({ start: 20, end: 40 });
    media.advanceTo(36);
    media.advanceTo(40.01);

    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 20 });
  });

  test('a loop elsewhere ends a span', () => {
    const { media, store } = playing();
    store.playSpan({ start: 30, end: 35 });
    store.setLoop({ start: 10, end: 20 });
    store.setLoop(null);
    media.advanceTo(36);

    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 36, stopAt: null });
  });

  test('a span is played once and stops at its end', () => {
    const { media, store } = playing();
    store.playSpan({ start: 30, end: 35 });
    expect(media.currentTime).toBe(30);

    media.advanceTo(35.02);
    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 35 });
  });

  test('a paused span resumes up to its end, and after a seek playback continues beyond it', () => {
    const { media, store } = playing();
    store.playSpan({ start: 30, end: 35 });
    media.advanceTo(32);
    store.pause();
    resumePlayback(store);
    expect(media.currentTime).toBe(32);
    media.advanceTo(35.02);
    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 35 });

    store.seek(33);
    resumePlayback(store);
    media.advanceTo(36);
    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 36 });
  });

  test('seeking while a span plays continues beyond its end', () => {
    const { media, store } = playing();
    store.playSpan({ start: 30, end: 35 });
    store.seek(34);
    media.advanceTo(36);

    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 36 });
  });
});

describe('sound', () => {
  test('volume and mute are stored for the next visit', () => {
    localStorage.clear();
    const { store } = aPlayer(localStorage);
    store.setVolume(0.4);
    store.setMuted(true);
    const { media, store: next } = aPlayer(localStorage);

    expect(next.getSnapshot()).toMatchObject({ volume: 0.4, muted: true });
    expect([media.volume, media.muted]).toEqual([0.4, true]);
  });

  test('an invalid stored volume is ignored', () => {
    localStorage.setItem('roughmix.volume', '{"volume":7,"muted":"no"}');

    expect(aPlayer(localStorage).store.getSnapshot()).toMatchObject({ volume: 1, muted: false });
  });
});
