import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { first, second } from '../player-fixture';
import { aWebPlayer, decodedPlaying, settled, streaming, third } from './engine-fixture';

const lost = () => new TypeError('connection lost');

describe('during the hand-over to decoded audio', () => {
  test('a seek goes to the decoded audio at once', async () => {
    const { graph, downloads, store } = await streaming();
    await downloads[0]?.finish();
    store.seek(40);
    expect(graph().commands('start')).toEqual([{ type: 'start', trackId: 'v1', at: 40 }]);

    // The mixer had found the stream before it got the seek.
    graph().report({ type: 'tookOver', trackId: 'v1', position: 0.7, offset: 0, isExact: true });
    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 40 });
  });

  test('a pause is kept, whatever the mixer reports', async () => {
    const { graph, downloads, store } = await streaming();
    await downloads[0]?.finish();
    store.pause();
    graph().report({ type: 'tookOver', trackId: 'v1', position: 0.7, offset: 0, isExact: true });

    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 0.5 });
  });

  test('a span that began before the mixer was loaded still ends', async () => {
    const { media, graph, downloads, store } = await aWebPlayer();
    store.playSpan({ start: 0.4, end: 12 });
    await settled();
    graph().loadMixer();
    media.loadMetadata();
    media.advanceTo(0.8);
    await downloads[0]?.finish();
    const before = graph().posted.length;
    graph().report({ type: 'tookOver', trackId: 'v1', position: 0.8, offset: 0, isExact: true });

    expect(graph().posted.slice(before)).toEqual([{ type: 'stopAt', at: 12 }]);
  });

  test('a span still ends when decoded audio arrives before the stream', async () => {
    const { graph, downloads, store } = await aWebPlayer();
    store.playSpan({ start: 10, end: 12 });
    await settled();
    graph().loadMixer();
    await waitFor(() => expect(downloads).toHaveLength(1), { timeout: 3_000 });
    await downloads[0]?.finish();

    const at = graph().posted.findIndex(({ type }) => type === 'start');
    expect(graph().posted.slice(at)).toEqual([
      { type: 'start', trackId: 'v1', at: 10 },
      { type: 'stopAt', at: 12 },
    ]);
  });

  test('a new span does not stop at the end of the previous one', async () => {
    const { graph, store } = await decodedPlaying();
    store.playSpan({ start: 3, end: 5 });
    const before = graph().posted.length;
    store.playSpan({ start: 10, end: 12 });

    expect(graph().posted.slice(before)).toEqual([
      { type: 'stopAt', at: null },
      { type: 'start', trackId: 'v1', at: 10 },
      { type: 'stopAt', at: 12 },
    ]);
  });
});

test('a stop that was reported before the last play is ignored', async () => {
  const { graph, store } = await decodedPlaying();
  store.playSpan({ start: 3, end: 5 });
  graph().reportState('v1', 4.99);
  const { contextTime } = graph();
  store.playSpan({ start: 10, end: 12 });
  graph().report({ type: 'stopped', contextTime, reason: 'stopAt', trackId: 'v1', position: 5 });
  expect(store.getSnapshot()).toMatchObject({ playing: true, position: 10 });

  graph().reportStopped({ reason: 'stopAt', trackId: 'v1', position: 12 });
  expect(store.getSnapshot()).toMatchObject({ playing: false, position: 12 });
});

describe('the audio device', () => {
  test('a context that the browser blocks stops playback, so that it does not start by itself later', async () => {
    const { media, graph, store } = await streaming();
    graph().block();
    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Your browser blocked playback. Press play again.' });
    graph().reportStopped({ reason: 'stop', trackId: 'v1', position: 0 });
    expect(media.paused).toBe(true);
    media.advanceTo(3);

    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 0.5 });
  });

  test('an interruption pauses; a second one does not move the playhead', async () => {
    const { graph, store } = await decodedPlaying();
    graph().interrupt();
    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 1 });
    store.seek(30);
    graph().contextTime += 5;
    graph().interrupt();

    expect(store.getSnapshot().position).toBe(30);
  });

  test('a second pause, such as by a media key, does not move the playhead', async () => {
    const { graph, store } = await decodedPlaying();
    store.pause();
    graph().contextTime += 5;
    store.pause();

    expect(store.getSnapshot().position).toBe(1);
  });

  test('a stream that the system resumes also resumes the audio device', async () => {
    const { media, graph, store } = await streaming();
    media.pause();
    media.dispatchEvent(new Event('pause'));
    expect([store.getSnapshot().playing, graph().isActive]).toEqual([false, false]);
    media.paused = false;
    media.dispatchEvent(new Event('play'));

    expect([store.getSnapshot().playing, graph().isActive]).toEqual([true, true]);
  });
});

describe('a mixer that fails while it plays', () => {
  test('the stream continues, and nothing is decoded any more', async () => {
    const { media, graph, store, urls } = await decodedPlaying();
    await waitFor(() => expect(media.src).toBe(''));
    graph().loadMixer(false);
    expect(media.src).toBe(first.url);
    media.loadMetadata();
    expect(media.currentTime).toBe(1);
    expect(store.getSnapshot()).toMatchObject({ playing: true, limitation: 'no-web-audio' });

    const requests = urls().length;
    store.pause();
    const before = graph().commands('start').length;
    store.play();
    expect([graph().commands('start').length, urls().length]).toEqual([before, requests]);
    expect(media.paused).toBe(false);
  });

  test('a version that is still loading plays as a stream', async () => {
    const { media, graph, store, downloads } = await decodedPlaying();
    store.load(third);
    graph().loadMixer(false);
    await downloads.find(({ url }) => url === third.url)?.finish();

    expect(media.src).toBe(third.url);
    expect(store.getSnapshot()).toMatchObject({ playing: true, playingVersionId: 'v3', loadingVersionId: null });
  });
});

describe('a mixer that is late', () => {
  test('takes over the version that plays, which was not found undecodable', async () => {
    const { media, graph, store, downloads, urls } = await aWebPlayer();
    store.play();
    await settled();
    media.loadMetadata();
    graph().loadMixer(false);
    await downloads[0]?.finish();
    expect(store.getSnapshot()).toMatchObject({ playing: true, limitation: 'no-web-audio' });

    graph().loadMixer();
    expect([urls(), store.getSnapshot().limitation]).toEqual([[first.url, first.url], null]);
    await downloads[1]?.finish();
    expect(graph().commands('addTrack')).toMatchObject([{ trackId: 'v1' }]);
    media.advanceTo(1);
    await waitFor(() => expect(graph().commands('takeOver')).toHaveLength(1));
  });

  test('takes over while a download is in progress, which is not repeated', async () => {
    const { media, graph, store, downloads, urls } = await aWebPlayer();
    store.play();
    await settled();
    media.loadMetadata();
    graph().loadMixer(false);
    graph().loadMixer();
    await downloads[0]?.finish();
    expect([urls().filter((url) => url === first.url), graph().commands('addTrack')]).toMatchObject([[first.url], [{ trackId: 'v1' }]]);
  });
});

test('a file that is replaced before its stream begins is not mixed with the stream', async () => {
  const { media, store, urls } = await aWebPlayer();
  store.play();
  await settled();
  store.setTracks([{ ...first, duration: 101 }, second, third]);
  media.loadMetadata();

  expect(urls()).toEqual([]);
});

describe('a file that is replaced while playback waits for it', () => {
  test('the chosen version is fetched again', async () => {
    const { graph, store, downloads } = await decodedPlaying();
    store.load(second);
    store.setTracks([first, { ...second, duration: 61 }, third]);
    const [old, fresh] = downloads.filter(({ url }) => url === second.url);
    expect([old?.signal.aborted, fresh?.signal.aborted]).toEqual([true, false]);
    await fresh?.finish();

    expect(graph().commands('crossfade')).toEqual([{ type: 'crossfade', trackId: 'v2' }]);
    expect(store.getSnapshot().loadingVersionId).toBeNull();
  });

  test('a version whose stream was lost is fetched again too', async () => {
    const { media, store, downloads } = await streaming();
    media.fail(3);
    store.setTracks([{ ...first, duration: 101 }, second, third]);
    await downloads[1]?.finish(lost());

    expect(store.getSnapshot()).toMatchObject({ playing: false, error: 'Unable to load media' });
  });
});

test('after three quick version changes the last one plays', async () => {
  const { graph, store, downloads } = await decodedPlaying();
  store.load(second);
  store.load(third);
  store.load(second);
  await downloads.find(({ url }) => url === third.url)?.finish();
  await downloads.find(({ url }) => url === second.url)?.finish();

  expect(graph().commands('crossfade')).toEqual([{ type: 'crossfade', trackId: 'v2' }]);
});
