import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { silentMp3 } from '../../../backend/src/testing/mpeg';
import { silentFlac } from '../../../backend/src/testing/silent-flac';
import { sine, wav } from '../../../backend/src/testing/wav';

/** A file for a file input. */
export interface AudioFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A file, and what the page shows about it. */
export interface Song {
  readonly file: AudioFile;
  /** Codec, rate and channels. */
  readonly format: string;
  /** The length shown in the transport. */
  readonly length: string;
}

const folder = resolve('../shared/audio');

/** Whether real music exists beside the checkout; otherwise songs are generated. */
export const hasMusic = existsSync(folder);
export const songSource = hasMusic ? 'with real music' : 'with generated audio';

const real = (name: string, mimeType: string): AudioFile => ({ name: name.split('/').at(-1) ?? name, mimeType, buffer: readFileSync(join(folder, name)) });

/** A short WAV with a quiet first half and a loud second half. */
export function generatedWav(name: string, seconds = 20): AudioFile {
  const tone = sine({ seconds, frequency: 330, amplitude: 0.6 }).map((sample, at, { length }) => (at < length / 2 ? sample / 6 : sample));
  return { name, mimeType: 'audio/wav', buffer: Buffer.from(wav({ channelData: [tone, tone] })) };
}

export const wavSong = (): Song =>
  hasMusic
    ? { file: real('By-Product (rough mix) – 3 Überarbeitung.wav', 'audio/wav'), format: 'WAV 16 bit, 48 kHz, stereo', length: '0:45.0' }
    : { file: generatedWav('By-Product (rough mix) – 3 Überarbeitung.wav'), format: 'WAV 16 bit, 48 kHz, stereo', length: '0:20.0' };

export const mp3Song = (): Song =>
  hasMusic
    ? { file: real('mix-1_0-demo.mp3', 'audio/mpeg'), format: 'MP3, 48 kHz, stereo', length: '1:00.0' }
    : {
        file: { name: 'mix-1_0-demo.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from(silentMp3({ frames: 2_297 })) },
        format: 'MP3, 44.1 kHz, stereo',
        length: '1:00.0',
      };

/** A file that must be refused; only if {@link hasMusic}. */
export const badFile = (name: string, mimeType: string): AudioFile => real(`bad/${name}`, mimeType);

/** A FLAC that is shorter than its header states, which only decoding detects. */
export const cutOffFlac = (): AudioFile =>
  hasMusic
    ? badFile('truncated.flac', 'audio/flac')
    : { name: 'truncated.flac', mimeType: 'audio/flac', buffer: Buffer.from(silentFlac({ seconds: 4, claimedSeconds: 10 })) };
