import { parentPort } from 'node:worker_threads';
import { renderSong } from './render-song.js';
import type { MixName } from './score/song.js';
import type { SongName } from './songs/songs.js';
import { encodeWav16 } from './wav.js';

/** One version to render, completely or only its first seconds. */
export interface RenderOrder {
  readonly song: SongName;
  readonly mix: MixName;
  readonly seconds: number;
}

/** The rendered WAV file; its memory is transferred. */
export type Rendered = Uint8Array<ArrayBuffer>;

if (parentPort === null) throw new Error('this module runs in a worker thread');
const port = parentPort;
port.on('message', ({ song, mix, seconds }: RenderOrder) => {
  const wav: Rendered = new Uint8Array(encodeWav16(renderSong(song, mix, seconds)));
  port.postMessage(wav, [wav.buffer]);
});
