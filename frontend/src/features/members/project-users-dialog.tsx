import { mayEditPermissions, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { Avatar } from '../../shared/ui/avatar';
import { Badge } from '../../shared/ui/badge';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { Dialog } from '../../shared/ui/dialog';
import { EmptyState } from '../../shared/ui/empty-state';
import { DOWNLOAD_HINT, diffsOf, type MemberRow, rightsIn } from './member-rights';
import { EditedMember, ShownMember } from './member-row';
import { useEditPermissions } from './members.queries';
import './members.css';
import { useClosing } from './use-closing';

export interface ProjectUsersDialogProps {
  readonly project: ProjectView;
  readonly viewer: Viewer;
  readonly onClose: () => void;
  readonly onProject: (project: ProjectView) => void;
}

type UnsavedChanges = Readonly<Record<Uid, Pick<MemberRow, 'now' | 'isRemoved'>>>;

/** The current members with the owner's unsaved changes applied, so changes from elsewhere remain visible. */
const rowsOf = (project: ProjectView, changes: UnsavedChanges): readonly MemberRow[] =>
  (project.addedUsers ?? []).map((person) => {
    const was = rightsIn(project, person.uid);
    return { person, was, ...(changes[person.uid] ?? { now: was, isRemoved: false }) };
  });

const Owner = ({ owner }: Pick<ProjectView, 'owner'>) => (
  <li className="urow is-shown">
    <Avatar name={fullName(owner)} photo={owner.smallPhoto} size={32} isDecorative />
    <span className="cut who-is">{fullName(owner)}</span>
    <Badge tone="line">Owner</Badge>
  </li>
);

const countWords = (count: number) => (count === 0 ? '' : count === 1 ? '1 change' : `${count} changes`);

/** The project's members; the owner can change their rights. */
export function ProjectUsersDialog({ project, viewer, onClose, onProject }: ProjectUsersDialogProps) {
  const [changes, setChanges] = useState<UnsavedChanges>({});
  const edit = useEditPermissions(project, (updated) => {
    setChanges({});
    onProject(updated);
  });
  useClosing(edit.isSuccess, onClose);
  const mayEdit = mayEditPermissions(viewer);
  const rows = rowsOf(project, changes);
  const diffs = diffsOf(rows);
  const change = ({ person, now, isRemoved }: MemberRow) => {
    if (!edit.isIdle && !edit.isPending) edit.reset();
    setChanges((before) => ({ ...before, [person.uid]: { now, isRemoved } }));
  };
  const footer = mayEdit ? (
    <>
      <span className="hint changes" role="status">
        {countWords(diffs.length)}
      </span>
      <Button variant="quiet" onPress={onClose}>
        {edit.isSuccess ? 'Close' : 'Cancel'}
      </Button>
      <Button variant="primary" isDisabled={diffs.length === 0} isPending={edit.isPending} onPress={() => edit.mutate({ permissionDiffs: [...diffs] })}>
        {edit.isError ? 'Retry' : 'Save'}
      </Button>
    </>
  ) : undefined;
  return (
    <Dialog title="Project Users" isOpen onClose={onClose} size="l" isFlush {...(footer ? { footer } : {})}>
      <ul aria-label="Project Users">
        <Owner owner={project.owner} />
        {rows.map((row) => (mayEdit ? <EditedMember key={row.person.uid} row={row} onChange={change} /> : <ShownMember key={row.person.uid} row={row} />))}
      </ul>
      {rows.length === 0 && (
        <div className="users-note">
          <EmptyState icon={UsersRound}>No other users added (yet).</EmptyState>
        </div>
      )}
      {mayEdit && rows.length > 0 && (
        <div className="users-note">
          <p className="hint">{DOWNLOAD_HINT}</p>
        </div>
      )}
      {edit.isSuccess && (
        <div className="users-note">
          <Banner tone="ok">Changes saved.</Banner>
        </div>
      )}
      {edit.error !== null && (
        <div className="users-note">
          <Banner tone="bad">{errorMessage(edit.error)}</Banner>
        </div>
      )}
    </Dialog>
  );
}
