import { describe, expect, test } from '@jest/globals';
import type { PlayerMedia, Track } from './player-state';
import { createPlayerStore } from './player-store';

/** A browser's media element, as far as the player uses one: it knows a source after `arrive`, and its clock is turned by hand. */
class HandMedia extends EventTarget implements PlayerMedia {
  src = '';
  crossOrigin: string | null = null;
  preload: '' | 'none' | 'metadata' | 'auto' = 'auto';
  currentTime = 0;
  volume = 1;
  muted = false;
  playbackRate = 1;
  paused = true;
  error: MediaError | null = null;
  readonly loaded: string[] = [];
  refuses: DOMException | null = null;

  play(): Promise<void> {
    if (this.refuses) return Promise.reject(this.refuses);
    this.paused = false;
    return Promise.resolve();
  }
  pause(): void {
    this.paused = true;
  }
  load(): void {
    this.loaded.push(this.src);
    this.currentTime = 0;
  }
  removeAttribute(name: string): void {
    if (name === 'src') this.src = '';
  }
  arrive(): void {
    this.dispatchEvent(new Event('loadedmetadata'));
  }
  fail(code: 2 | 3): void {
    this.error = { code, message: '', MEDIA_ERR_ABORTED: 1, MEDIA_ERR_NETWORK: 2, MEDIA_ERR_DECODE: 3, MEDIA_ERR_SRC_NOT_SUPPORTED: 4 };
    this.dispatchEvent(new Event('error'));
  }
  turnTo(seconds: number): void {
    this.currentTime = seconds;
    this.dispatchEvent(new Event('timeupdate'));
  }
}

const first: Track = { versionId: 'v1', url: '/api/media/v1/audio', duration: 100 };
const second: Track = { versionId: 'v2', url: '/api/media/v2/audio', duration: 60 };

function aPlayer(storage?: Storage) {
  const media = new HandMedia();
  const store = createPlayerStore({ media, storage });
  store.load(first);
  return { media, store };
}

function playing(storage?: Storage) {
  const { media, store } = aPlayer(storage);
  store.play();
  media.arrive();
  return { media, store };
}

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

    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'The browser did not let the sound begin. Press play once more.' });
    media.arrive();
    expect(store.getSnapshot()).toMatchObject({ ready: true, error: 'The browser did not let the sound begin. Press play once more.' });

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
