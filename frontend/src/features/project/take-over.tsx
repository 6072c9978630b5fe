import { isMember, mayTakeOver, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { isErased } from '@roughmix/contracts/users/user.view.js';
import { Crown } from 'lucide-react';
import { useState } from 'react';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import './project.css';
import { useTakeOver } from './project.queries';

interface TakeOverProps {
  readonly project: ProjectView;
  readonly viewer: Viewer;
  readonly onDone: (project: ProjectView) => void;
}

/** Tells members of a project whose owner's account was removed, and lets those who may become its owner. */
export function TakeOver({ project, viewer, onDone }: TakeOverProps) {
  const [isOpen, setOpen] = useState(false);
  const takeOver = useTakeOver(project._id);
  if (!isErased(project.owner) || !isMember(viewer)) return null;
  if (!mayTakeOver(viewer, (project.userPermissions?.write.length ?? 0) > 0)) {
    return <Banner icon={Crown}>The account of this project&apos;s owner was removed. A collaborator can become the owner.</Banner>;
  }
  const become = (
    <Button size="s" variant="outline" onPress={() => setOpen(true)}>
      Become the owner
    </Button>
  );
  return (
    <>
      <Banner icon={Crown} end={become}>
        The account of this project&apos;s owner was removed.
      </Banner>
      <ConfirmDialog
        title={`Become the owner of ${isolated(project.projectName)}?`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => takeOver.mutate(undefined, { onSuccess: onDone })}
        isPending={takeOver.isPending}
        isDanger={false}
        error={takeOver.error}
        confirm="Become the owner"
        stays="The other members keep their permissions, and all files and texts stay."
      >
        You can then rename and remove the project, change its visibility, invite users and change their permissions.
      </ConfirmDialog>
    </>
  );
}
