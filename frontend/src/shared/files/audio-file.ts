import type { SiteLimits } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { detailOf, detailWith, inMegabytes } from '@roughmix/contracts/shared/problems.js';

/** Some systems report no file type, so check the name. */
const AUDIO_NAME = /\.(?:mp3|wav|wave|flac|ogg|oga|opus|m4a|aac|mp4a|wma|weba)$/i;
const AIFF_NAME = /\.(?:aif|aiff|aifc)$/i;

/** Containers of audio alone or with video, whose type says video. */
const MIXED_NAME = /\.(?:mov|3gp)$/i;

/** The `accept` attribute of audio pickers. Types of video would offer every film. */
export const AUDIO_ACCEPT = 'audio/*,.mov,.3gp';

/** What an audio picker takes, as its hint says it. */
export const audioHint = (limits: SiteLimits | undefined): string =>
  limits === undefined ? 'audio' : `audio, smaller than ${inMegabytes(limits.audioBytes)} MB`;

/** Why a file is no audio, as a message for the user; null if it may be. */
export function kindProblem(file: Pick<File, 'name' | 'type' | 'size'>): string | null {
  if (/^audio\/(?:x-)?aiff$/.test(file.type) || AIFF_NAME.test(file.name)) return detailOf('upload.aiff');
  const isAudio = file.type.startsWith('audio/') || MIXED_NAME.test(file.name) || (file.type === '' && AUDIO_NAME.test(file.name));
  if (!isAudio) return detailOf('upload.not-audio');
  return file.size === 0 ? detailOf('upload.empty') : null;
}

/**
 * Why a file cannot be uploaded as audio, as a message for the user; null if it can. The server
 * checks the content and decides.
 */
export function audioFileProblem(file: Pick<File, 'name' | 'type' | 'size'>, limits: SiteLimits | undefined): string | null {
  const isTooLarge = limits !== undefined && file.size >= limits.audioBytes;
  return kindProblem(file) ?? (isTooLarge ? detailWith('upload.too-large', limits.audioBytes) : null);
}
