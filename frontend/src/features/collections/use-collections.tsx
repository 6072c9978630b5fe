import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { useSession } from '../../shared/session/session-provider';
import { useToast } from '../../shared/ui/toast-queue';
import { CollectionDialogs, type OpenDialog } from './collection-dialogs';
import { collectionsOf, type ProjectsChange, useCollectionCommands } from './collections.queries';
import { SelectionActions } from './selection-actions';

interface CollectionsOptions {
  readonly uid: Uid;
  /** Called when the user added a collection, other than for selected projects. */
  readonly onAdded: (collection: CollectionView) => void;
  readonly onRemoved: (collection: CollectionView) => void;
}

const counted = (count: number): string => `${count} ${count === 1 ? 'project' : 'projects'}`;

/** Adds projects to a collection or takes them out, and says so. */
function useProjectsChange({ changeProjects }: ReturnType<typeof useCollectionCommands>) {
  const toaster = useToast();
  const run = (change: ProjectsChange) => {
    const { collection, projectIds, willAdd } = change;
    const message = `${counted(projectIds.length)} ${willAdd ? 'added to' : 'removed from'} ${isolated(collection.title)}`;
    changeProjects.mutate(change, {
      onSuccess: () => toaster.show({ message, kind: 'done' }),
      onError: (error) => toaster.show({ message: errorMessage(error), kind: 'failed', action: { label: 'Retry', onPress: () => run(change) } }),
    });
  };
  return run;
}

/** The user's collections and everything that changes them. `dialogs` must be rendered. */
export function useCollections({ uid, onAdded, onRemoved }: CollectionsOptions) {
  const { requireAccount } = useSession();
  const toaster = useToast();
  const list = useQuery(collectionsOf(uid));
  const commands = useCollectionCommands(uid);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const change = useProjectsChange(commands);
  const open = (next: OpenDialog) => {
    if (!requireAccount()) return;
    for (const command of [commands.add, commands.rename, commands.remove]) command.reset();
    setDialog(next);
  };
  const added = (collection: CollectionView) => {
    if (collection.projects.length === 0) onAdded(collection);
    else toaster.show({ message: `${counted(collection.projects.length)} added to ${isolated(collection.title)}`, kind: 'done' });
  };
  return {
    list: list.data,
    /** Null unless the list failed to load. */
    retry: list.isError ? () => void list.refetch() : null,
    add: () => open({ kind: 'new', projectIds: [] }),
    rename: (collection: CollectionView) => open({ kind: 'rename', collection }),
    remove: (collection: CollectionView) => open({ kind: 'remove', collection }),
    /** The buttons for the selected projects, while this collection is shown. */
    actions: (selected: readonly Id[], shown: CollectionView | undefined) => (
      <SelectionActions
        collections={list.data ?? []}
        shown={shown}
        selected={selected}
        onChange={change}
        onNew={() => open({ kind: 'new', projectIds: selected })}
      />
    ),
    dialogs: <CollectionDialogs dialog={dialog} commands={commands} onClose={() => setDialog(null)} onAdded={added} onRemoved={onRemoved} />,
  };
}
