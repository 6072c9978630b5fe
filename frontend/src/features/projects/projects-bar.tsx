import { Plus, Settings } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button } from '../../shared/ui/button';
import { IconButton } from '../../shared/ui/icon-button';
import { CompletionFilter } from './completion-filter';
import type { Completion } from './project-groups';
import { ViewsDropdown, type ViewsProps } from './views-nav';

interface ProjectsBarProps {
  readonly nav: ViewsProps;
  readonly completion: Completion;
  /** There are completed projects. */
  readonly isFilterable: boolean;
  readonly isEditing: boolean;
  readonly editRef: Ref<HTMLButtonElement>;
  readonly onCompletion: (completion: Completion) => void;
  readonly onEdit: () => void;
  readonly onAdd: () => void;
  /** More buttons. */
  readonly tools?: ReactNode;
}

/** Above the list: which projects it shows, the edit toggle and Add Project. */
export const ProjectsBar = ({ nav, completion, isFilterable, isEditing, editRef, onCompletion, onEdit, onAdd, tools }: ProjectsBarProps) => (
  <div className="bar-top">
    <ViewsDropdown {...nav} />
    <h1 className="wide h-page cut">{nav.current.label}</h1>
    <span className="grow" />
    {(isFilterable || completion !== 'all') && <CompletionFilter value={completion} onChange={onCompletion} />}
    {tools}
    <IconButton ref={editRef} label="Edit" icon={Settings} isPressed={isEditing} onPress={onEdit} />
    <Button variant="primary" icon={Plus} onPress={onAdd}>
      Add Project
    </Button>
  </div>
);
