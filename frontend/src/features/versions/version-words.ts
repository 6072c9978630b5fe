import { relativePast } from '@roughmix/contracts/shared/relative-time.js';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { codecName } from '../../shared/format/codecs';

const CHANNELS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo' };

/** The file's format: 'WAV 24 bit, 48 kHz, stereo'. */
export const formatWords = ({ codec, sampleRate, channels }: NonNullable<VersionView['analysis']>): string =>
  `${codecName(codec)}, ${sampleRate / 1_000} kHz, ${CHANNELS[channels] ?? `${channels} channels`}`;

/** What the player plays: 'Plays a FLAC copy of the ALAC original.' */
export function playbackWords({ playback, analysis }: Pick<VersionView, 'playback' | 'analysis'>): string {
  if (!playback.isCopy) return 'Playback uses the original file.';
  const copy = codecName(playback.codec);
  // Padded samples have the same codec in the copy.
  const original = analysis === null || analysis.codec === playback.codec ? '' : `${codecName(analysis.codec)} `;
  return `Plays a ${copy} copy of the ${original}original.`;
}

/** How long ago the version was added, never in the future despite clock skew. */
export const addedWhen = ({ dateAdded }: Pick<VersionView, 'dateAdded'>, now: Instant): string => relativePast(dateAdded, now);

/** Who added the version and when, and why it cannot be played. */
export function versionByline(version: VersionView, now: Instant): string {
  const by = `${isolated(fullName(version.uploader))}, ${addedWhen(version, now)}`;
  if (version.state === 'rejected') return `${by}, cannot be played`;
  return version.state === 'analysing' ? `${by}, being analysed` : by;
}
