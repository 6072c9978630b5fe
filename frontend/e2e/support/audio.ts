import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { silentMp3 } from '../../../backend/src/testing/mpeg';
import { silentFlac } from '../../../backend/src/testing/silent-flac';
import { sine, wav } from '../../../backend/src/testing/wav';

/** A file as a file input takes it. */
export interface AudioFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A file and what the page says of it. */
export interface Song {
  readonly file: AudioFile;
  /** Codec, rate and channels. */
  readonly format: string;
  /** The length on the transport. */
  readonly length: string;
}

const folder = resolve('../shared/audio');

/** Whether real music lies beside the checkout; without it the songs are made here. */
export const hasMusic = existsSync(folder);
export const songSource = hasMusic ? 'with real music' : 'with made audio';

const real = (name: string, mimeType: string): AudioFile => ({ name: name.split('/').at(-1) ?? name, mimeType, buffer: readFileSync(join(folder, name)) });

/** A short WAV, quiet in its first half and loud in its second. */
export function madeWav(name: string, seconds = 20): AudioFile {
  const tone = sine({ seconds, frequency: 330, amplitude: 0.6 }).map((sample, at, { length }) => (at < length / 2 ? sample / 6 : sample));
  return { name, mimeType: 'audio/wav', buffer: Buffer.from(wav({ channelData: [tone, tone] })) };
}

export const wavSong = (): Song =>
  hasMusic
    ? { file: real('By-Product (rough mix) – 3 Überarbeitung.wav', 'audio/wav'), format: 'WAV 16 bit, 48 kHz, stereo', length: '0:45.0' }
    : { file: madeWav('By-Product (rough mix) – 3 Überarbeitung.wav'), format: 'WAV 16 bit, 48 kHz, stereo', length: '0:20.0' };

export const mp3Song = (): Song =>
  hasMusic
    ? { file: real('mix-1_0-demo.mp3', 'audio/mpeg'), format: 'MP3, 48 kHz, stereo', length: '1:00.0' }
    : {
        file: { name: 'mix-1_0-demo.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from(silentMp3({ frames: 2_297 })) },
        format: 'MP3, 44.1 kHz, stereo',
        length: '1:00.0',
      };

/** One of the files that must be refused; only where {@link hasMusic}. */
export const badFile = (name: string, mimeType: string): AudioFile => real(`bad/${name}`, mimeType);

/** A FLAC that ends long before its header says, which only decoding finds out. */
export const cutOffFlac = (): AudioFile =>
  hasMusic
    ? badFile('truncated.flac', 'audio/flac')
    : { name: 'truncated.flac', mimeType: 'audio/flac', buffer: Buffer.from(silentFlac({ seconds: 4, claimedSeconds: 10 })) };
