import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { audioFileProblem } from '../../shared/files/audio-file';

type Chosen = Pick<File, 'name' | 'type' | 'size'>;

/** Message for a chosen file over 30 MB. */
export const OVER_PICKER_LIMIT = 'Files must be smaller than 30 Mb';

/** Why a chosen file cannot be used; null if it can. */
export function chosenFileProblem(file: Chosen): string | null {
  const problem = audioFileProblem(file);
  if (problem !== null && problem !== detailOf('upload.too-large')) return problem;
  return file.size > LIMITS.newVersionPickerBytes ? OVER_PICKER_LIMIT : null;
}

/** Why a file cannot be sent. Checked again, because it may have grown since it was chosen. */
export const submittedFileProblem = (file: Chosen): string | null => audioFileProblem(file);
