import { ChevronDown, type LucideIcon, Pencil, Plus, Trash2 } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { Menu, type MenuEntry } from '../../shared/ui/menu';

/** One of the lists to choose from. */
export interface ListView {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly count: number | undefined;
  readonly href: string;
  /** For collections, in edit mode. */
  readonly editing?: { readonly rename: () => void; readonly remove: () => void } | undefined;
}

export interface ViewsProps {
  readonly views: readonly ListView[];
  readonly collections: readonly ListView[];
  readonly current: ListView;
  readonly onNewCollection: () => void;
  /** Null unless the collections failed to load. */
  readonly onRetry: (() => void) | null;
}

const isCurrent = (view: ListView, current: ListView): boolean => view.id === current.id;

function SidebarRow({ view, current }: { readonly view: ListView; readonly current: ListView }) {
  const { editing } = view;
  return (
    <li className={isCurrent(view, current) ? 'on' : undefined}>
      <Link to={view.href} aria-current={isCurrent(view, current) ? 'page' : undefined}>
        <Icon of={view.icon} />
        <span className="cut">{view.label}</span>
        <span className="n">{view.count}</span>
      </Link>
      {editing && (
        <>
          <IconButton size="s" icon={Pencil} iconSize={14} label={`Rename collection ${view.label}`} onPress={editing.rename} />
          <IconButton size="s" icon={Trash2} iconSize={14} className="del" label={`Remove collection ${view.label}`} onPress={editing.remove} />
        </>
      )}
    </li>
  );
}

/** The lists, as a sidebar on wide screens. */
export const ViewsSidebar = ({ views, collections, current, onNewCollection, onRetry }: ViewsProps) => (
  <nav className="side" aria-label="Collections">
    <h2>Collections</h2>
    {[views, collections].map((rows, at) => (
      <ul key={at === 0 ? 'views' : 'collections'}>
        {rows.map((view) => (
          <SidebarRow key={view.id} view={view} current={current} />
        ))}
      </ul>
    ))}
    {onRetry && (
      <p className="meta">
        Your collections failed to load.{' '}
        <Button size="s" variant="quiet" onPress={onRetry}>
          Retry
        </Button>
      </p>
    )}
    <Button variant="quiet" icon={Plus} className="new" onPress={onNewCollection}>
      New collection
    </Button>
  </nav>
);

const editEntries = ({ editing }: ListView): readonly MenuEntry[] =>
  editing === undefined
    ? []
    : [
        { id: 'rename-collection', label: 'Rename this collection', icon: Pencil, onSelect: editing.rename },
        { id: 'remove-collection', label: 'Remove this collection', icon: Trash2, isDanger: true, onSelect: editing.remove },
      ];

/** The lists, as a dropdown on narrow screens. In edit mode it can rename and remove the collection that is shown. */
export function ViewsDropdown({ views, collections, current, onNewCollection, onRetry }: ViewsProps) {
  const navigate = useNavigate();
  const entryOf = ({ id, label, icon, count, href }: ListView): MenuEntry => ({ id, label, icon, end: count, onSelect: () => void navigate(href) });
  const entries: readonly MenuEntry[] = [
    ...views.map(entryOf),
    'line',
    ...collections.map(entryOf),
    ...(collections.length > 0 ? (['line'] as const) : []),
    ...(onRetry ? [{ id: 'retry', label: 'Load collections again', onSelect: onRetry }] : []),
    { id: 'new-collection', label: 'New collection', icon: Plus, onSelect: onNewCollection },
    ...editEntries(current),
  ];
  return (
    <Menu
      label="Collections"
      placement="bottom start"
      entries={entries}
      trigger={(trigger) => (
        <Button className="coldrop" icon={current.icon} {...trigger}>
          <span className="cut">{current.label}</span>
          <span className="meta">{current.count}</span>
          <span className="grow" />
          <Icon of={ChevronDown} size={14} />
        </Button>
      )}
    />
  );
}
