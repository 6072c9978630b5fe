import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';

interface RemoveCollectionDialogProps {
  readonly collection: CollectionView;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Confirms the removal of a collection. Render it within WhileOpen. */
export const RemoveCollectionDialog = ({ collection, error, isPending, onConfirm, onClose }: RemoveCollectionDialogProps) => (
  <ConfirmDialog
    title={`Remove ${isolated(collection.title)}?`}
    isOpen
    onClose={onClose}
    onConfirm={onConfirm}
    isPending={isPending}
    error={error}
    stays="The projects in it are kept."
    confirm="Remove collection"
    cancel="Keep"
  >
    Are you sure you want to remove this collection?
  </ConfirmDialog>
);
