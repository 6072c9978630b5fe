import { ListFilter } from 'lucide-react';
import { IconButton } from '../../shared/ui/icon-button';
import { Menu } from '../../shared/ui/menu';
import type { Completion } from './project-groups';

const OPTIONS: readonly { readonly id: Completion; readonly label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'open', label: 'In progress' },
  { id: 'completed', label: 'Completed' },
];

interface CompletionFilterProps {
  readonly value: Completion;
  readonly onChange: (value: Completion) => void;
}

/** Shows all projects, or only those in progress or completed. */
export const CompletionFilter = ({ value, onChange }: CompletionFilterProps) => (
  <Menu
    label="Filter projects"
    entries={[
      {
        id: 'completion',
        label: 'Show',
        mode: 'one',
        options: OPTIONS,
        chosen: [value],
        onChange: ([chosen]) => onChange(OPTIONS.find(({ id }) => id === chosen)?.id ?? 'all'),
      },
    ]}
    trigger={(trigger) => <IconButton {...trigger} label="Filter projects" icon={ListFilter} isPressed={value !== 'all'} />}
  />
);
