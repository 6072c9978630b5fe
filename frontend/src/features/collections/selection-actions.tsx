import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { Folder, FolderMinus, FolderPlus, Plus } from 'lucide-react';
import { Button } from '../../shared/ui/button';
import { Menu, type MenuEntry } from '../../shared/ui/menu';
import { useShake } from '../../shared/ui/use-shake';
import type { ProjectsChange } from './collections.queries';

interface SelectionActionsProps {
  readonly collections: readonly CollectionView[];
  /** The collection that the list shows, if it shows one. */
  readonly shown: CollectionView | undefined;
  readonly selected: readonly Id[];
  readonly onChange: (change: ProjectsChange) => void;
  /** Opens the form for a new collection of the selected projects. */
  readonly onNew: () => void;
}

/** Adds the selected projects to a collection, or takes them out of the one that is shown. A button with nothing to apply to shakes. */
export function SelectionActions({ collections, shown, selected, onChange, onNew }: SelectionActionsProps) {
  const adding = useShake();
  const removing = useShake();
  const add = (collection: CollectionView) => {
    const projectIds = selected.filter((id) => !collection.projects.includes(id));
    if (projectIds.length === 0) adding.shake();
    else onChange({ collection, projectIds, willAdd: true });
  };
  const takeOut = (collection: CollectionView) => {
    const projectIds = selected.filter((id) => collection.projects.includes(id));
    if (projectIds.length === 0) removing.shake();
    else onChange({ collection, projectIds, willAdd: false });
  };
  const targets = collections.filter((collection) => collection !== shown);
  const entries: readonly MenuEntry[] = [
    ...targets.map((collection) => ({ id: collection._id, label: collection.title, icon: Folder, onSelect: () => add(collection) })),
    ...(targets.length > 0 ? (['line'] as const) : []),
    { id: 'new', label: 'New collection', icon: Plus, onSelect: onNew },
  ];
  return (
    <>
      <span {...adding.shaken}>
        <Menu
          label="Add to collection"
          entries={entries}
          trigger={({ onPress, ...trigger }) => (
            <Button size="s" icon={FolderPlus} aria-label="Add to collection" {...trigger} onPress={selected.length === 0 ? adding.shake : onPress}>
              <span className="only-l">Add to collection</span>
            </Button>
          )}
        />
      </span>
      {shown && (
        <span {...removing.shaken}>
          <Button size="s" icon={FolderMinus} aria-label={`Remove from ${isolated(shown.title)}`} onPress={() => takeOut(shown)}>
            <span className="only-l cut">Remove from {isolated(shown.title)}</span>
          </Button>
        </span>
      )}
    </>
  );
}
