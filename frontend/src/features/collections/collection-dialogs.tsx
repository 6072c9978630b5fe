import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { useCollectionCommands } from './collections.queries';
import { RemoveCollectionDialog } from './remove-collection-dialog';
import { WhileOpen } from '../../shared/ui/while-open';
import { TitleDialog } from './title-dialog';

/** The form for a new collection of these projects, or for a new title, or the confirmation of a removal. */
export type OpenDialog =
  | { readonly kind: 'new'; readonly projectIds: readonly Id[] }
  | { readonly kind: 'rename' | 'remove'; readonly collection: CollectionView };

interface CollectionDialogsProps {
  readonly dialog: OpenDialog | null;
  readonly commands: ReturnType<typeof useCollectionCommands>;
  readonly onClose: () => void;
  readonly onAdded: (collection: CollectionView) => void;
  readonly onRemoved: (collection: CollectionView) => void;
}

/** The dialogs that change collections, one at a time. */
export function CollectionDialogs({ dialog, commands: { add, rename, remove }, onClose, onAdded, onRemoved }: CollectionDialogsProps) {
  const removing = dialog?.kind === 'remove' ? dialog.collection : null;
  const added = (collection: CollectionView | null) => {
    onClose();
    if (collection !== null) onAdded(collection);
  };
  const removed = (collection: CollectionView) => {
    onClose();
    onRemoved(collection);
  };
  return (
    <>
      <WhileOpen value={dialog?.kind === 'new' ? dialog : null}>
        {({ projectIds }) => (
          <TitleDialog
            heading="New collection"
            confirm="Add"
            error={add.error}
            isPending={add.isPending}
            onSubmit={(title) => add.mutate({ title, projectIds }, { onSuccess: added })}
            onClose={onClose}
          />
        )}
      </WhileOpen>
      <WhileOpen value={dialog?.kind === 'rename' ? dialog.collection : null}>
        {(collection) => (
          <TitleDialog
            heading="Rename collection"
            confirm="Rename"
            title={collection.title}
            error={rename.error}
            isPending={rename.isPending}
            onSubmit={(title) => rename.mutate({ collection, title }, { onSuccess: onClose })}
            onClose={onClose}
          />
        )}
      </WhileOpen>
      <WhileOpen value={removing}>
        {(collection) => (
          <RemoveCollectionDialog
            collection={collection}
            error={remove.error}
            isPending={remove.isPending}
            onConfirm={() => remove.mutate(collection, { onSuccess: () => removed(collection) })}
            onClose={onClose}
          />
        )}
      </WhileOpen>
    </>
  );
}
