import { formatSpan } from '../../shared/format/time';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import type { ShownRegion } from './shown-region';

export interface RemoveRegionDialogProps {
  /** null: closed. */
  readonly region: ShownRegion | null;
  readonly onClose: () => void;
  readonly onConfirm: (id: string) => void;
}

/** Asks before a region goes, and says what stays. */
export function RemoveRegionDialog({ region, onClose, onConfirm }: RemoveRegionDialogProps) {
  return (
    <ConfirmDialog
      title="Remove this region?"
      isOpen={region !== null}
      onClose={onClose}
      onConfirm={() => region && onConfirm(region.id)}
      confirm="Remove region"
      cancel="Keep it"
      stays="The comments on it and the audio stay."
    >
      {region && `“${region.title}”, ${formatSpan(region.start, region.end)}, is removed from the wave for everyone.`}
    </ConfirmDialog>
  );
}
