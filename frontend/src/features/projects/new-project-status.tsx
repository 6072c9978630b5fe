import { errorMessage } from '../../shared/api/api-errors';
import { Banner } from '../../shared/ui/banner';
import { uploadText } from '../../shared/uploads/upload-text';
import type { Phase } from './use-new-project';

/** One line of status. */
export function NewProjectStatus({ phase, size }: { readonly phase: Phase; readonly size: number }) {
  if (phase.at === 'editing') return phase.refusal === null ? null : <Banner tone="bad">{errorMessage(phase.refusal)}</Banner>;
  if (phase.at === 'failed')
    return phase.error === null ? <Banner>Stopped. You can continue where you left off.</Banner> : <Banner tone="bad">{errorMessage(phase.error)}</Banner>;
  return (
    <p className="meta" role="status">
      {phase.at === 'running' ? uploadText(phase, size) : 'Discarding the project'}
    </p>
  );
}
