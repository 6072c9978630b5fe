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

/** What happens now, in a line. */
export function NewProjectStatus({ phase, size }: { readonly phase: Phase; readonly size: number }) {
  switch (phase.at) {
    case 'filling':
      return phase.refusal === null ? null : <Banner tone="bad">{sentenceOf(phase.refusal)}</Banner>;
    case 'broken':
      return phase.error === null ? <Banner>Stopped. You can go on where it was.</Banner> : <Banner tone="bad">{sentenceOf(phase.error)}</Banner>;
    case 'creating':
      return (
        <p className="meta" role="status">
          Creating the project
        </p>
      );
    case 'uploading':
      return (
        <p className="meta" role="status">
          {uploading(phase, size)}
        </p>
      );
    case 'reading':
      return (
        <p className="meta" role="status">
          Reading the file
        </p>
      );
    case 'finishing':
      return (
        <p className="meta" role="status">
          Opening the project
        </p>
      );
    case 'undoing':
      return (
        <p className="meta" role="status">
          Removing what was begun
        </p>
      );
  }
}
