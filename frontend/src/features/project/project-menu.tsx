import { mayEditProject, mayLeave, mayRemoveProject, type Viewer, type Visibility } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { CircleCheck, Crown, Ellipsis, Link as LinkIcon, LogOut, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { IconButton } from '../../shared/ui/icon-button';
import { Menu, type MenuEntry } from '../../shared/ui/menu';
import { useToast } from '../../shared/ui/toast-queue';
import { ProjectDialogs, type ProjectDialogName } from './project-dialogs';
import { useEditProject } from './project.queries';

export interface ProjectMenuProps {
  readonly project: ProjectView;
  readonly viewer: Viewer;
  /** Copies a link to this version and time. */
  readonly onCopyLink: () => void;
  /** Called after the user removed or left the project. */
  readonly onLeft: (message: string) => void;
}

const VISIBILITIES: readonly { readonly id: Visibility; readonly label: string; readonly note: string }[] = [
  { id: 'private', label: 'Private', note: 'Only people you invite' },
  { id: 'public', label: 'Public', note: 'Everyone signed in, and guests, can view and listen' },
];

interface MenuActions {
  readonly openDialog: (dialog: ProjectDialogName) => void;
  readonly complete: () => void;
}

function ownersEntries({ completed, visibility }: ProjectView, { openDialog, complete }: MenuActions): readonly MenuEntry[] {
  return [
    { id: 'rename', label: 'Rename', icon: Pencil, onSelect: () => openDialog('rename') },
    { id: 'complete', label: completed ? 'Mark as in progress' : 'Mark as completed', icon: CircleCheck, onSelect: complete },
    'line',
    {
      id: 'visibility',
      label: 'Visibility',
      mode: 'one',
      options: VISIBILITIES.map(({ id, label, note }) => ({
        id,
        label,
        content: (
          <span>
            {label}
            <span className="meta note">{note}</span>
          </span>
        ),
      })),
      chosen: [visibility],
      onChange: ([chosen]) => chosen !== undefined && chosen !== visibility && openDialog(chosen === 'public' ? 'public' : 'private'),
    },
    'line',
    { id: 'owner', label: 'Change Owner', icon: Crown, note: 'Transferring a project is not available yet', isDisabled: true, onSelect: () => undefined },
    { id: 'remove', label: 'Remove project', icon: Trash2, isDanger: true, onSelect: () => openDialog('remove') },
  ];
}

/** More actions for the project; destructive ones ask for confirmation. */
export function ProjectMenu({ project, viewer, onCopyLink, onLeft }: ProjectMenuProps) {
  const [dialog, openDialog] = useState<ProjectDialogName | null>(null);
  const toaster = useToast();
  const edit = useEditProject(project._id);
  const complete = () =>
    edit.mutate(
      { completed: !project.completed },
      { onError: (error) => toaster.show({ kind: 'failed', message: errorMessage(error), action: { label: 'Retry', onPress: complete } }) },
    );
  const entries: readonly MenuEntry[] = [
    { id: 'link', label: 'Copy link to this moment', icon: LinkIcon, onSelect: onCopyLink },
    ...(mayEditProject(viewer) && mayRemoveProject(viewer) ? (['line', ...ownersEntries(project, { openDialog, complete })] as const) : []),
    ...(mayLeave(viewer)
      ? (['line', { id: 'leave', label: 'Leave project', icon: LogOut, isDanger: true, onSelect: () => openDialog('leave') }] as const)
      : []),
  ];
  return (
    <>
      <Menu label="Project" entries={entries} trigger={(trigger) => <IconButton {...trigger} label="More project actions" icon={Ellipsis} />} />
      <ProjectDialogs project={project} dialog={dialog} onClose={() => openDialog(null)} onLeft={onLeft} />
    </>
  );
}
