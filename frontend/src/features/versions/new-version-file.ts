import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { audioFileProblem } from '../../shared/files/audio-file';

type Chosen = Pick<File, 'name' | 'type' | 'size'>;

/** What the picker says of a file over 30 MB. */
export const OVER_PICKER_LIMIT = 'Files must be smaller than 30 Mb';

/** What speaks against a file that was just chosen; null for nothing. */
export function chosenFileProblem(file: Chosen): string | null {
  const problem = audioFileProblem(file);
  if (problem !== null && problem !== detailOf('upload.too-large')) return problem;
  return file.size > LIMITS.newVersionPickerBytes ? OVER_PICKER_LIMIT : null;
}

/** What speaks against sending it: a file on the disk may have grown since it was chosen. */
export const submittedFileProblem = (file: Chosen): string | null => audioFileProblem(file);
