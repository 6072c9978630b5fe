import { describe, expect, test } from '@jest/globals';
import { FakeMediaElement, first, second } from './player-fixture';
import { createPlayerStore } from './player-store';
import { createProjectPlayer } from './project-player';

const other = { versionId: 'v9', projectId: 'p9', url: '/api/media/v9/audio', duration: 50, loudness: null, codec: 'mp3' };

/** Project p1 plays its first version at 40 s; the page of p9 is open. */
function anotherProject() {
  const media = new FakeMediaElement();
  const app = createPlayerStore({ media });
  const playing = createProjectPlayer(app, 'p1');
  playing.load(first);
  playing.play();
  media.loadMetadata();
  media.advanceTo(40);
  const page = createProjectPlayer(app, 'p9');
  page.load(other);
  return { media, app, playing, page };
}

describe('the page of another project than the one that plays', () => {
  test('opening it does not interrupt playback', () => {
    const { media, app, page } = anotherProject();
    page.prepare();
    page.pause();

    expect(media.loaded).toEqual(['/api/media/v1/audio']);
    expect(app.getSnapshot()).toMatchObject({ projectId: 'p1', versionId: 'v1', playing: true, position: 40 });
    expect(page.getSnapshot()).toMatchObject({ projectId: 'p9', versionId: 'v9', playing: false, position: 0, duration: 50 });
  });

  test('play takes over at the position, loop and tempo that were set there', () => {
    const { media, app, page } = anotherProject();
    page.seek(12);
    page.setLoop({ start: 10, end: 20 });
    page.setTempo(0.5);
    page.play();
    media.loadMetadata();

    expect(app.getSnapshot()).toMatchObject({ projectId: 'p9', versionId: 'v9', playing: true, position: 12, loop: { start: 10, end: 20 }, tempo: 0.5 });
    expect(page.getSnapshot()).toBe(app.getSnapshot());
    expect([media.src, media.currentTime]).toEqual(['/api/media/v9/audio', 12]);
  });

  test('a shorter version keeps the playhead there too', () => {
    const { page } = anotherProject();
    page.seek(45);
    page.load({ ...other, versionId: 'v8', duration: 30 });
    expect(page.getSnapshot()).toMatchObject({ position: 45, duration: 30, hasEnded: true });
    page.load(other);
    expect(page.getSnapshot()).toMatchObject({ position: 45, duration: 50, hasEnded: false });
  });

  test('its listeners are called for its own changes only', () => {
    const { media, page } = anotherProject();
    let changes = 0;
    page.subscribe(() => void (changes += 1));
    media.advanceTo(41);
    expect(changes).toBe(0);
    page.seek(5);
    page.setVolume(0.5);
    expect(changes).toBe(2);
    expect(page.getSnapshot()).toMatchObject({ position: 5, volume: 0.5 });
  });

  test('while nothing plays it loads its audio ahead of play', () => {
    const { media, app, playing, page } = anotherProject();
    playing.pause();
    page.prepare();
    media.loadMetadata();
    expect(app.getSnapshot()).toMatchObject({ projectId: 'p1', position: 40 });
    page.play();

    expect(media.loaded).toEqual(['/api/media/v1/audio', '/api/media/v9/audio']);
    expect(page.getSnapshot()).toMatchObject({ playing: true, ready: true, position: 0 });
  });
});

describe('losing access', () => {
  test('releasing the project that plays stops it and drops its audio', () => {
    const { media, app, playing } = anotherProject();
    app.release('p9');
    expect(app.getSnapshot().playing).toBe(true);
    app.release('p1');

    expect(app.getSnapshot()).toMatchObject({ projectId: null, versionId: null, playing: false });
    expect([media.src, media.paused]).toEqual(['', true]);
    expect(playing.getSnapshot()).toMatchObject({ versionId: 'v1', playing: false });
  });
});

describe('matched loudness', () => {
  test('a version is turned down to the quietest of its project, and the choice is stored per project', () => {
    localStorage.clear();
    const media = new FakeMediaElement();
    const app = createPlayerStore({ media, storage: localStorage });
    const page = createProjectPlayer(app, 'p1');
    page.load(first);
    page.setTracks([first, second]);
    expect(page.getSnapshot()).toMatchObject({ isMatched: true, gainDb: -2 });
    page.play();
    expect(page.getSnapshot()).toMatchObject({ isMatched: true, gainDb: -2 });
    expect(media.volume).toBeCloseTo(0.794, 3);

    page.setMatched(false);
    expect([page.getSnapshot().gainDb, media.volume]).toEqual([0, 1]);
    const next = createPlayerStore({ media, storage: localStorage });
    expect([next.isMatchedIn('p1'), next.isMatchedIn('p9')]).toEqual([false, true]);
  });
});
