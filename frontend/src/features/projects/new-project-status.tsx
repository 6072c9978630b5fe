import { formatBytes } from '../../shared/format/bytes';
import { errorMessage } from '../../shared/api/api-errors';
import { Banner } from '../../shared/ui/banner';
import type { Phase } from './use-new-project';

/** Estimates are too inaccurate before this. */
const GUESS_AFTER_MS = 1_000;

/** Estimated seconds until the upload is done; null while there is no estimate. */
export function secondsLeft(sent: number, size: number, elapsedMs: number): number | null {
  if (elapsedMs < GUESS_AFTER_MS || sent === 0) return null;
  return Math.ceil(((size - sent) * elapsedMs) / sent / 1_000);
}

function uploading({ sent, startedAt }: { readonly sent: number; readonly startedAt: number }, size: number): string {
  const left = secondsLeft(sent, size, Date.now() - startedAt);
  return left === null ? `Uploading ${formatBytes(size)}` : `Uploading, ${left} ${left === 1 ? 'second' : 'seconds'} left`;
}

const DOING: Readonly<Record<'creating' | 'reading' | 'finishing' | 'undoing', string>> = {
  creating: 'Creating the project',
  reading: 'Reading the file',
  finishing: 'Opening the project',
  undoing: 'Discarding the project',
};

/** One line of status. */
export function NewProjectStatus({ phase, size }: { readonly phase: Phase; readonly size: number }) {
  if (phase.at === 'editing') return phase.refusal === null ? null : <Banner tone="bad">{errorMessage(phase.refusal)}</Banner>;
  if (phase.at === 'failed')
    return phase.error === null ? <Banner>Stopped. You can continue where you left off.</Banner> : <Banner tone="bad">{errorMessage(phase.error)}</Banner>;
  return (
    <p className="meta" role="status">
      {phase.at === 'uploading' ? uploading(phase, size) : DOING[phase.at]}
    </p>
  );
}
