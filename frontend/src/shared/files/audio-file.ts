import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';

/** Some systems give files no type, so that their names have to do. */
const AUDIO_NAME = /\.(?:mp3|wav|wave|flac|ogg|oga|opus|m4a|aac|mp4a|wma|weba)$/i;
const AIFF_NAME = /\.(?:aif|aiff|aifc)$/i;

/** What a picker of audio offers. */
export const AUDIO_ACCEPT = 'audio/*';

/**
 * What speaks against uploading this file as audio, as the sentence for the user; null for nothing. The server looks
 * into the file and has the last word.
 */
export function audioFileProblem(file: Pick<File, 'name' | 'type' | 'size'>): string | null {
  if (/^audio\/(?:x-)?aiff$/.test(file.type) || AIFF_NAME.test(file.name)) return detailOf('upload.aiff');
  if (!file.type.startsWith('audio/') && (file.type !== '' || !AUDIO_NAME.test(file.name))) return detailOf('upload.not-audio');
  if (file.size === 0) return detailOf('upload.empty');
  return file.size >= LIMITS.audioBytesRefused ? detailOf('upload.too-large') : null;
}
