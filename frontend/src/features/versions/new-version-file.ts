import type { SiteLimits } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { inMegabytes } from '@roughmix/contracts/shared/problems.js';
import { kindProblem } from '../../shared/files/audio-file';

/** What the form takes, as its hint says it. */
export const pickerHint = (limits: SiteLimits | undefined): string => (limits === undefined ? 'audio' : `audio, at most ${inMegabytes(limits.pickerBytes)} MB`);

/** Why a chosen file cannot be used; null if it can. The limit of all uploads is checked before sending, because the file may have grown since. */
export function chosenFileProblem(file: Pick<File, 'name' | 'type' | 'size'>, limits: SiteLimits | undefined): string | null {
  const isTooLarge = limits !== undefined && file.size > limits.pickerBytes;
  return kindProblem(file) ?? (isTooLarge ? `Files must be smaller than ${inMegabytes(limits.pickerBytes)} Mb` : null);
}
