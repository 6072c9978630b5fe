import { formatBytes } from '../../shared/format/bytes';
import { sentenceOf } from '../../shared/api/api-errors';
import { Banner } from '../../shared/ui/banner';
import type { Phase } from './use-new-project';

/** A guess is worth a word only after a moment. */
const GUESS_AFTER_MS = 1_000;

/** How long the rest of a file takes at the pace so far; null while nobody can tell. */
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

/** What happens now, in a line. */
export function NewProjectStatus({ phase, size }: { readonly phase: Phase; readonly size: number }) {
  if (phase.at === 'filling') return phase.refusal === null ? null : <Banner tone="bad">{sentenceOf(phase.refusal)}</Banner>;
  if (phase.at === 'broken')
    return phase.error === null ? <Banner>Stopped. You can continue where you left off.</Banner> : <Banner tone="bad">{sentenceOf(phase.error)}</Banner>;
  return (
    <p className="meta" role="status">
      {phase.at === 'uploading' ? uploading(phase, size) : DOING[phase.at]}
    </p>
  );
}
