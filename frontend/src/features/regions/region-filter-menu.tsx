import { ChevronDown, ListFilter } from 'lucide-react';
import { CATEGORY_LABELS, REGION_CATEGORIES } from '@roughmix/contracts/shared/categories.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { CATEGORY_ICONS, categoryClass } from '../../shared/ui/category';
import { Button } from '../../shared/ui/button';
import { Count } from '../../shared/ui/count';
import { Icon } from '../../shared/ui/icon';
import { Menu, type MenuEntry } from '../../shared/ui/menu';
import { NO_FILTER, type RegionFilter } from './region-filter';
import type { RegionEditor } from './use-region-editor';

export interface RegionFilterMenuProps {
  readonly editor: RegionEditor;
  readonly versions: readonly VersionView[];
}

function entriesOf({ editor, versions }: RegionFilterMenuProps): readonly MenuEntry[] {
  const { filter, setFilter, all, countOf } = editor;
  const authors = new Map(all.flatMap(({ saved }) => (saved ? [[saved.author.uid, fullName(saved.author)] as const] : [])));
  /** What choosing this option alone would show, with the other groups as they are. */
  const end = (only: Partial<RegionFilter>) => String(countOf({ ...filter, ...only }));
  const users = [...authors].map(([id, label]) => ({ id, label, end: end({ users: [id] }) }));
  const categories = REGION_CATEGORIES.map((id) => ({
    id,
    label: CATEGORY_LABELS[id],
    content: (
      <span className={`flex ${categoryClass(id)}`}>
        <Icon of={CATEGORY_ICONS[id]} size={14} className="of-cat" />
        {CATEGORY_LABELS[id]}
      </span>
    ),
    end: end({ categories: [id] }),
  }));
  const numbered = versions.map((version) => ({ id: version._id, label: versionNumber(version), end: end({ versions: [version._id] }) }));
  return [
    { id: 'users', label: 'By', mode: 'several', options: users, chosen: filter.users, onChange: (chosen) => setFilter({ ...filter, users: chosen }) },
    {
      id: 'categories',
      label: 'Category',
      mode: 'several',
      options: categories,
      chosen: filter.categories,
      onChange: (chosen) => setFilter({ ...filter, categories: chosen }),
    },
    {
      id: 'versions',
      label: 'Version (default: the selected one)',
      mode: 'several',
      options: numbered,
      chosen: filter.versions,
      onChange: (chosen) => setFilter({ ...filter, versions: chosen }),
    },
    'line',
    { id: 'clear', label: 'Show all', isDisabled: !editor.isFiltering, onSelect: () => setFilter(NO_FILTER) },
  ];
}

/** Filters the regions on the wave by user, category and version. */
export function RegionFilterMenu(props: RegionFilterMenuProps) {
  const { editor } = props;
  const count = editor.shown.filter(({ isDraft }) => !isDraft).length;
  const words = editor.isFiltering ? 'Some regions' : 'All regions';
  return (
    <Menu
      label="Filter regions"
      entries={entriesOf(props)}
      trigger={(trigger) => (
        <Button {...trigger} size="s" className="region-filter" icon={ListFilter}>
          <span className="sr">Filter regions: </span>
          <span className="only-l">{words}</span> <Count of={count} />
          <Icon of={ChevronDown} size={12} className="only-l" />
        </Button>
      )}
    />
  );
}
