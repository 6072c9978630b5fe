import { describe, expect, test } from '@jest/globals';
import type { Track } from '../player-state';
import { DecodedTracks } from './decoded-tracks';
import { settled } from './engine-fixture';

const RATE = 1_000;
/** 1 kHz in stereo: 8,000 bytes a second. */
const bytesOf = (seconds: number) => seconds * RATE * 8;
const aTrack = (versionId: string, duration: number): Track => ({ versionId, projectId: 'p1', url: `/${versionId}`, duration, loudness: null, codec: 'mp3' });
const [one, two, three] = [aTrack('one', 10), aTrack('two', 10), aTrack('three', 10)];

/** Room for 25 s of audio; every file decodes to stereo of its track's length. */
function tracks(durations: Readonly<Record<string, number>> = {}) {
  const changes: string[] = [];
  const urls: string[] = [];
  let decoding = 0;
  let mostAtOnce = 0;
  const decoded = new DecodedTracks({
    sampleRate: () => RATE,
    capBytes: bytesOf(25),
    fetchAudio: (url) => {
      urls.push(url);
      return Promise.resolve(new ArrayBuffer(durations[url] ?? 10));
    },
    decode: async (file) => {
      decoding += 1;
      mostAtOnce = Math.max(mostAtOnce, decoding);
      await settled();
      decoding -= 1;
      return [new Float32Array(file.byteLength * RATE), new Float32Array(file.byteLength * RATE)];
    },
    add: (trackId) => changes.push(`+${trackId}`),
    remove: (trackId) => changes.push(`-${trackId}`),
    onReady: () => undefined,
    onFailed: () => undefined,
  });
  const load = async (...wanted: readonly Track[]) => {
    for (const track of wanted) decoded.load(track);
    for (const _turn of [...wanted, null]) await settled();
  };
  return { decoded, changes, urls, load, mostAtOnce: () => mostAtOnce };
}

describe('decoded audio', () => {
  test('the least recently used track is dropped to make room', async () => {
    const { decoded, changes, load } = tracks();
    await load(one);
    await load(two);
    decoded.keep(['one']);
    decoded.keep([]);
    await load(three);

    expect(changes).toEqual(['+one', '+two', '-two', '+three']);
    expect([one, two, three].map(({ versionId }) => decoded.has(versionId))).toEqual([true, false, true]);
  });

  test('the playing track is kept, even above the limit, until a switch has finished', async () => {
    const { decoded, changes, load } = tracks({ '/one': 20, '/two': 20 });
    await load(aTrack('one', 20));
    decoded.keep(['one', 'two']);
    await load(aTrack('two', 20));
    expect(changes).toEqual(['+one', '+two']);
    decoded.keep(['two']);

    expect(changes).toEqual(['+one', '+two', '-one']);
  });

  test('a track that does not fit at all is not fetched', async () => {
    const { decoded, urls, load } = tracks();
    await load(aTrack('opera', 26));

    expect([urls, decoded.isTooLong(aTrack('opera', 26))]).toEqual([[], true]);
  });

  test('a track is fetched once, and files are decoded one at a time', async () => {
    const { urls, load, mostAtOnce } = tracks();
    await load(one, one, two);
    await load(one);

    expect([urls, mostAtOnce()]).toEqual([['/one', '/two'], 1]);
  });

  test('loading ahead drops nothing', async () => {
    const { decoded, urls, changes, load } = tracks();
    await load(one);
    await decoded.prefetch([two, three], new AbortController().signal);

    expect([urls, changes]).toEqual([
      ['/one', '/two'],
      ['+one', '+two'],
    ]);
  });

  test('dropping while a file is on its way aborts it', async () => {
    const { decoded, changes } = tracks();
    decoded.load(one);
    decoded.drop(() => true);
    await settled();
    await settled();

    expect([changes, decoded.isLoading('one')]).toEqual([[], false]);
  });
});
