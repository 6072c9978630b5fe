import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { followPlayback, type SessionDetails, showDetails, systemSession } from './media-session';
import { aSession, PlainMetadata } from './media-session-fixture';
import { aPlayer, playing } from './player-fixture';

const details: SessionDetails = {
  title: 'Low Tide',
  artist: 'Ana Reis',
  album: '1.0 First mix',
  artwork: [],
  onPrevious: null,
  onNext: null,
  onStop: () => undefined,
};

describe('playback', () => {
  test('the system sees what the player does', () => {
    const { session } = aSession();
    const { store } = playing();
    followPlayback(session, store);
    expect(session.playbackState).toBe('playing');
    store.pause();
    expect(session.playbackState).toBe('paused');
  });

  test('its keys play, pause and seek by 5 seconds or the distance that the system gives', () => {
    const { session, press } = aSession();
    const { store } = playing();
    followPlayback(session, store);
    press({ action: 'pause' });
    expect(store.getSnapshot().playing).toBe(false);
    press({ action: 'play' });
    expect(store.getSnapshot().playing).toBe(true);
    const at = (action: MediaSessionActionDetails) => {
      press(action);
      return store.getSnapshot().position;
    };
    expect(at({ action: 'seekto', seekTime: 30 })).toBe(30);
    expect(at({ action: 'seekforward' })).toBe(35);
    expect(at({ action: 'seekbackward', seekOffset: 20 })).toBe(15);
  });

  test('the position is reported on a seek, a stop and a new tempo, and not while it can be extrapolated', () => {
    let now = 0;
    const { session, positions } = aSession();
    const { store, media } = playing();
    followPlayback(session, store, () => now);
    for (const seconds of [1, 2, 3]) {
      now = seconds * 1_000;
      media.advanceTo(seconds);
    }
    expect(positions).toEqual([{ duration: 100, position: 0, playbackRate: 1 }]);
    store.seek(40);
    store.setTempo(0.5);
    store.pause();
    expect(positions.slice(1)).toEqual([
      { duration: 100, position: 40, playbackRate: 1 },
      { duration: 100, position: 40, playbackRate: 0.5 },
      { duration: 100, position: 40, playbackRate: 0.5 },
    ]);
  });

  test('a browser without an action still gets the others', () => {
    const { session, handlers } = aSession(['seekto']);
    followPlayback(session, aPlayer().store);
    expect(Object.keys(handlers)).toEqual(['play', 'pause', 'seekbackward', 'seekforward']);
  });

  test('everything is removed when it ends', () => {
    const { session, handlers, positions } = aSession();
    const { store } = playing();
    followPlayback(session, store)();
    expect(handlers).toEqual({});
    expect(positions.at(-1)).toBeUndefined();
    store.pause();
    expect(session.playbackState).toBe('none');
  });
});

describe('details', () => {
  beforeEach(() => {
    window.MediaMetadata = PlainMetadata;
  });
  afterEach(() => {
    Reflect.deleteProperty(window, 'MediaMetadata');
  });

  test('the system shows the project, the owner and the version', () => {
    const { session } = aSession();
    const end = showDetails(session, details);
    expect(session.metadata).toMatchObject({ title: 'Low Tide', artist: 'Ana Reis', album: '1.0 First mix', artwork: [] });
    end();
    expect(session.metadata).toBeNull();
  });

  test('its keys choose the previous and the next version, where there is one', () => {
    const { session, handlers, press } = aSession();
    const chosen: string[] = [];
    const end = showDetails(session, { ...details, onNext: () => chosen.push('next'), onStop: () => chosen.push('stop') });
    expect(Object.keys(handlers)).toEqual(['nexttrack', 'stop']);
    press({ action: 'nexttrack' });
    press({ action: 'stop' });
    expect(chosen).toEqual(['next', 'stop']);
    end();
    expect(handlers).toEqual({});
  });
});

test('a browser without media sessions has none', () => expect(systemSession()).toBeNull());
