import { relativePast } from '@roughmix/contracts/shared/relative-time.js';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';

const CODECS: Readonly<Record<string, string>> = {
  mp3: 'MP3',
  flac: 'FLAC',
  vorbis: 'Ogg Vorbis',
  opus: 'Opus',
  aac: 'AAC',
  alac: 'ALAC',
  pcm_u8: 'WAV 8 bit',
  pcm_s16le: 'WAV 16 bit',
  pcm_s24le: 'WAV 24 bit',
  pcm_s32le: 'WAV 32 bit',
  pcm_f32le: 'WAV 32 bit float',
  pcm_f64le: 'WAV 64 bit float',
};
const CHANNELS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo' };

/** The file's format: 'WAV 24 bit, 48 kHz, stereo'. */
export const formatWords = ({ codec, sampleRate, channels }: NonNullable<VersionView['analysis']>): string =>
  `${CODECS[codec] ?? codec.toUpperCase()}, ${sampleRate / 1_000} kHz, ${CHANNELS[channels] ?? `${channels} channels`}`;

/** How long ago the version was added, never in the future despite clock skew. */
export const addedWhen = ({ dateAdded }: Pick<VersionView, 'dateAdded'>, now: Instant): string => relativePast(dateAdded, now);

/** Who added the version and when, and why it cannot be played. */
export function versionByline(version: VersionView, now: Instant): string {
  const by = `${isolated(fullName(version.uploader))}, ${addedWhen(version, now)}`;
  if (version.state === 'rejected') return `${by}, cannot be played`;
  return version.state === 'analysing' ? `${by}, being analysed` : by;
}
