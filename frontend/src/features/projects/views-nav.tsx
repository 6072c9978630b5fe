import { AudioLines, ChevronDown, UsersRound, type LucideIcon } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';
import { Menu } from '../../shared/ui/menu';

/** One of the lists to choose from. */
export interface ListView {
  readonly id: 'all' | 'shared';
  readonly label: string;
  readonly count: number | undefined;
  readonly href: string;
}

interface ViewsProps {
  readonly views: readonly ListView[];
  readonly current: ListView['id'];
}

const ICONS: Readonly<Record<ListView['id'], LucideIcon>> = { all: AudioLines, shared: UsersRound };

/** The lists, as a sidebar on wide screens. */
export const ViewsSidebar = ({ views, current }: ViewsProps) => (
  <nav className="side" aria-label="Collections">
    <h2>Collections</h2>
    {views.map((view) => (
      <Link key={view.id} to={view.href} className={view.id === current ? 'on' : undefined} aria-current={view.id === current ? 'page' : undefined}>
        <Icon of={ICONS[view.id]} />
        <span className="cut">{view.label}</span>
        <span className="n">{view.count}</span>
      </Link>
    ))}
  </nav>
);

/** The lists, as a dropdown on narrow screens. */
export function ViewsDropdown({ views, current }: ViewsProps) {
  const navigate = useNavigate();
  const shown = views.find(({ id }) => id === current);
  if (shown === undefined) return null;
  return (
    <Menu
      label="Collections"
      placement="bottom start"
      entries={views.map((view) => ({ id: view.id, label: view.label, icon: ICONS[view.id], end: view.count, onSelect: () => void navigate(view.href) }))}
      trigger={(trigger) => (
        <Button className="coldrop" icon={ICONS[shown.id]} {...trigger}>
          <span className="cut">{shown.label}</span>
          <span className="meta">{shown.count}</span>
          <span className="grow" />
          <Icon of={ChevronDown} size={14} />
        </Button>
      )}
    />
  );
}
