import { describe, expect, test } from '@jest/globals';
import { first } from '../player-fixture';
import { aWebPlayer, decodedPlaying, long, settled, streaming, third } from './engine-fixture';
import { AudioRefused } from './fetch-audio';

describe('a file that is too long to decode', () => {
  test('keeps streaming, and the player says so', async () => {
    const { media, store, urls } = await aWebPlayer();
    store.setTracks([long]);
    store.load(long);
    expect(store.getSnapshot()).toMatchObject({ limitation: 'long-file', precision: 'approximate', tempoFloor: 0.1 });
    store.setTempo(0.05);
    store.play();
    await settled();
    media.loadMetadata();
    media.advanceTo(5);

    expect([urls(), media.playbackRate]).toEqual([[], 0.1]);
    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 5 });
  });

  test('a version that cannot be decoded also keeps streaming', async () => {
    const { downloads, store } = await streaming({ decode: () => Promise.reject(new Error('unknown codec')) });
    await downloads[0]?.finish();

    expect(store.getSnapshot()).toMatchObject({ playing: true, limitation: 'undecodable', error: null });
  });
});

describe('failures', () => {
  test('a stream that fails is replaced by the decoded audio, and shows as buffering until then', async () => {
    const { media, graph, store, downloads } = await streaming();
    media.fail(3);
    expect(store.getSnapshot()).toMatchObject({ playing: true, isBuffering: true, error: null });
    await downloads[0]?.finish();

    expect(graph().commands('start')).toEqual([{ type: 'start', trackId: 'v1', at: 0.5 }]);
    expect(store.getSnapshot()).toMatchObject({ playing: true, isBuffering: false, error: null });
  });

  test('when the stream and the download both fail, the player says so', async () => {
    const { media, store, downloads } = await streaming();
    media.fail(3);
    await downloads[0]?.finish(new TypeError('connection lost'));

    expect(store.getSnapshot()).toMatchObject({ playing: false, isBuffering: false, error: 'Unable to load media' });
  });

  test('a download that failed while its stream plays is retried once the connection is back', async () => {
    const { store, downloads } = await streaming();
    await downloads[0]?.finish(new TypeError('connection lost'));
    expect(store.getSnapshot()).toMatchObject({ playing: true, error: null });
    store.prepare();

    expect(downloads.map(({ url }) => url)).toEqual([first.url, first.url]);
  });

  test('a chosen version that fails to load stops playback with an error', async () => {
    const { store, downloads } = await decodedPlaying();
    store.load(third);
    await downloads.find(({ url }) => url === third.url)?.finish(new TypeError('connection lost'));

    expect(store.getSnapshot()).toMatchObject({ versionId: 'v3', playing: false, error: 'Unable to load media' });
  });

  test('audio that the server refuses to send ends playback, and the player says so', async () => {
    const { media, store, downloads } = await streaming();
    await downloads[0]?.finish(new AudioRefused(404));

    expect(store.getSnapshot()).toMatchObject({ projectId: 'p1', playing: false, error: 'Unable to load media' });
    expect(media.src).toBe('');
  });

  test('a neighbour that the server refuses does not', async () => {
    const { store, downloads } = await decodedPlaying();
    await downloads[1]?.finish(new AudioRefused(404));

    expect(store.getSnapshot()).toMatchObject({ projectId: 'p1', playing: true });
  });

  test('without the mixer the media element keeps playing, and the player shows its limitation', async () => {
    const { media, graph, store, downloads } = await aWebPlayer();
    store.play();
    await settled();
    media.loadMetadata();
    graph().loadMixer(false);
    await downloads[0]?.finish();
    media.advanceTo(3);

    expect(graph().commands('addTrack')).toEqual([]);
    expect(store.getSnapshot()).toMatchObject({ playing: true, position: 3, limitation: 'no-web-audio', precision: 'approximate' });
  });
});
