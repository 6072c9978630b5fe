import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { first, second } from '../player-fixture';
import { aWebPlayer, decodedPlaying, settled, streaming, third } from './engine-fixture';

describe('the first play', () => {
  test('before it nothing is fetched and no audio device is opened', async () => {
    const { media, graphs, urls, store } = await aWebPlayer();
    store.seek(10);

    expect([media.loaded, graphs, urls()]).toEqual([[], [], []]);
  });

  test('an expected play opens the audio device ahead of it', async () => {
    const { graphs, store } = await aWebPlayer();
    store.prepare();
    await settled();
    expect(graphs.map(({ isAwake, isActive }) => [isAwake, isActive])).toEqual([[true, false]]);
  });

  test('leaves the connection to the stream until the stream has started', async () => {
    const { media, store, urls } = await aWebPlayer();
    store.play();
    await settled();
    expect([media.loaded, urls()]).toEqual([[first.url], []]);
    media.loadMetadata();

    expect(urls()).toEqual([first.url]);
  });

  test('starts from the stream while the file is fetched, and fetches no other version', async () => {
    const { media, graph, downloads, store } = await streaming();

    expect(media.loaded).toEqual(['/api/media/v1/audio']);
    expect(graph().isActive).toBe(true);
    expect(graph().commands('startStream')).toEqual([
      { type: 'startStream', trackId: 'v1' },
      { type: 'startStream', trackId: 'v1' },
    ]);
    expect(downloads.map(({ url, priority }) => [url, priority])).toEqual([['/api/media/v1/audio', 'high']]);
    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 0.5, playingVersionId: 'v1', precision: 'exact', tempoFloor: 0.05 });
  });

  test("moves to the decoded audio at the stream's position, unloads the media element, then fetches the neighbours", async () => {
    const { media, graph, downloads, urls, store } = await streaming();
    graph().contextTime = 7;
    await downloads[0]?.finish();
    expect(graph().commands('addTrack')).toMatchObject([{ trackId: 'v1' }]);
    expect(graph().commands('takeOver')).toEqual([{ type: 'takeOver', trackId: 'v1', estimate: { at: 0.5, contextTime: 7 }, align: true }]);
    expect(urls()).toEqual(['/api/media/v1/audio']);

    graph().report({ type: 'tookOver', trackId: 'v1', position: 0.61, offset: 0.01, isExact: true });
    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 0.61 });
    await waitFor(() => expect(media.src).toBe(''));
    expect(store.getSnapshot().playing).toBe(true);
    expect(downloads.slice(1).map(({ url, priority }) => [url, priority])).toEqual([['/api/media/v2/audio', 'low']]);
    await downloads[1]?.finish();
    expect(urls()).toEqual(['/api/media/v1/audio', '/api/media/v2/audio', '/api/media/v3/audio']);
  });

  test('plays decoded audio directly if the stream has not loaded by then', async () => {
    const { media, graph, downloads, store } = await aWebPlayer();
    store.seek(12);
    store.play();
    await settled();
    graph().loadMixer();
    await waitFor(() => expect(downloads).toHaveLength(1), { timeout: 3_000 });
    await downloads[0]?.finish();

    expect(graph().commands('takeOver')).toEqual([]);
    expect(graph().commands('start')).toEqual([{ type: 'start', trackId: 'v1', at: 12 }]);
    await waitFor(() => expect(media.src).toBe(''));
  });

  test('tries again when the mixer does not find the stream', async () => {
    const { graph, downloads, media } = await streaming();
    await downloads[0]?.finish();
    media.advanceTo(0.9);
    graph().report({ type: 'takeOverFailed', trackId: 'v1', reason: 'noMatch' });

    await waitFor(() => expect(graph().commands('takeOver')).toHaveLength(2));
    expect(graph().commands('takeOver')[1]?.estimate.at).toBe(0.9);
  });
});

describe('decoded playback', () => {
  test('the playhead moves on between the reports of the mixer', async () => {
    const { graph, store } = await decodedPlaying();
    graph().contextTime += 0.02;
    await waitFor(() => expect(store.getSnapshot().position).toBeCloseTo(1.02, 6));
  });

  test('pausing keeps the position; playing again needs no request', async () => {
    const { media, graph, store, urls } = await decodedPlaying();
    const requests = [urls().length, media.loaded.length];
    store.pause();
    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 1 });
    expect(graph().isActive).toBe(false);
    store.play();

    expect(graph().commands('start')).toEqual([{ type: 'start', trackId: 'v1', at: 1 }]);
    expect([urls().length, media.loaded.length]).toEqual(requests);
  });

  test('stops at the end of the track, and at the end of a span', async () => {
    const { graph, store } = await decodedPlaying();
    graph().reportStopped({ reason: 'end', trackId: 'v1', position: 99.98 });
    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 100 });

    store.playSpan({ start: 30, end: 35 });
    expect(graph().posted.slice(-2)).toEqual([
      { type: 'start', trackId: 'v1', at: 30 },
      { type: 'stopAt', at: 35 },
    ]);
    graph().reportState('v1', 34.9);
    graph().reportStopped({ reason: 'stopAt', trackId: 'v1', position: 35 });
    expect(store.getSnapshot()).toMatchObject({ playing: false, position: 35 });
  });

  test('the mixer applies loop, tempo and pitch, also when they were set before the first play', async () => {
    const player = await aWebPlayer();
    player.store.setLoop({ start: 10, end: 20 });
    player.store.setTempo(0.5);
    player.store.setPitch(1.5);
    player.store.play();
    await settled();
    player.graph().loadMixer();

    expect(player.graph().commands('setLoop').at(-1)).toEqual({ type: 'setLoop', loop: { start: 10, end: 20 } });
    expect(player.graph().commands('setTempoAndPitch').at(-1)).toEqual({ type: 'setTempoAndPitch', tempo: 0.5, pitch: 1.5 });
  });

  test('shortening a loop while it plays does not make the player seek', async () => {
    const { graph, store } = await decodedPlaying();
    store.setLoop({ start: 0.5, end: 20 });
    store.setLoop({ start: 0.5, end: 0.9 });

    expect(graph().commands('seek')).toEqual([]);
    expect(graph().commands('setLoop').at(-1)).toEqual({ type: 'setLoop', loop: { start: 0.5, end: 0.9 } });
  });
});

describe('switching versions', () => {
  test('a decoded version is crossfaded to, without a request', async () => {
    const { media, graph, store, downloads, urls } = await decodedPlaying();
    await downloads[1]?.finish();
    const requests = [urls().length, media.loaded.length];
    store.load(second);

    expect(graph().commands('crossfade')).toEqual([{ type: 'crossfade', trackId: 'v2' }]);
    expect(store.getSnapshot()).toMatchObject({ versionId: 'v2', playingVersionId: 'v2', loadingVersionId: null, playing: true });
    expect([urls().length, media.loaded.length]).toEqual(requests);
  });

  test('until a version is decoded the previous one keeps playing', async () => {
    const { graph, store, downloads } = await decodedPlaying();
    store.load(third);
    expect(graph().commands('crossfade')).toEqual([]);
    expect(store.getSnapshot()).toMatchObject({ versionId: 'v3', playingVersionId: 'v1', loadingVersionId: 'v3', playing: true });

    await downloads.find(({ url }) => url === third.url)?.finish();
    expect(graph().commands('crossfade')).toEqual([{ type: 'crossfade', trackId: 'v3' }]);
    expect(store.getSnapshot()).toMatchObject({ playingVersionId: 'v3', loadingVersionId: null });
  });

  test('switching back to the version that is still playing changes nothing', async () => {
    const { graph, store, downloads } = await decodedPlaying();
    store.load(third);
    store.load(first);
    await downloads.find(({ url }) => url === third.url)?.finish();

    expect(graph().commands('crossfade')).toEqual([]);
    expect(store.getSnapshot()).toMatchObject({ versionId: 'v1', playingVersionId: 'v1', loadingVersionId: null });
  });

  test('while paused, the chosen version is the one to play', async () => {
    const { store } = await decodedPlaying();
    store.load(third);
    store.pause();

    expect(store.getSnapshot()).toMatchObject({ versionId: 'v3', playingVersionId: 'v3', loadingVersionId: null, playing: false });
  });

  test('beyond the end of a shorter version the playhead keeps its position', async () => {
    const { graph, store, downloads } = await decodedPlaying();
    await downloads[1]?.finish();
    store.seek(90);
    graph().reportState('v1', 90);
    store.load(second);
    graph().reportState('v2', 90.02, { hasEnded: true, rate: 0 });

    expect(store.getSnapshot()).toMatchObject({ playing: true, hasEnded: true, position: 90.02 });
  });
});

describe('what is kept', () => {
  test('releasing a project stops it, drops its audio and aborts its downloads', async () => {
    const { graph, store, downloads } = await decodedPlaying();
    store.release('p1');

    expect(store.getSnapshot()).toMatchObject({ projectId: null, playing: false });
    expect(graph().commands('stop')).toHaveLength(1);
    expect(graph().commands('dropTrack')).toEqual([{ type: 'dropTrack', trackId: 'v1' }]);
    expect(downloads[1]?.signal.aborted).toBe(true);
  });

  test('playing another project drops the audio of the one before', async () => {
    const { graph, store, downloads } = await decodedPlaying();
    store.load({ ...first, versionId: 'v9', projectId: 'p9', url: '/api/media/v9/audio' });
    expect(graph().commands('dropTrack')).toEqual([]);
    store.play();

    expect(graph().commands('dropTrack')).toEqual([{ type: 'dropTrack', trackId: 'v1' }]);
    expect(downloads[1]?.signal.aborted).toBe(true);
  });

  test.each([
    ['a replaced file', { loudness: null }],
    ['a file that got a copy', { codec: 'flac' }],
  ])('the old audio of %s plays until the next pause, then the new one is fetched', async (_what, change) => {
    const { graph, store, urls } = await decodedPlaying();
    store.load({ ...first, ...change });
    expect(graph().commands('dropTrack')).toEqual([]);
    store.pause();
    expect(graph().commands('dropTrack')).toEqual([{ type: 'dropTrack', trackId: 'v1' }]);
    store.play();

    expect(urls().filter((url) => url === first.url)).toHaveLength(2);
  });
});
