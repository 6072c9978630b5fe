import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { trimmed } from '@roughmix/contracts/shared/visible-text.js';
import { useId, useState, type SubmitEvent } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { Button } from '../../shared/ui/button';
import { Dialog } from '../../shared/ui/dialog';
import { TextField } from '../../shared/ui/text-field';
import { useEditProject } from './project.queries';

export function RenameDialog({ project, onClose }: { readonly project: ProjectView; readonly onClose: () => void }) {
  const formId = useId();
  const [name, setName] = useState(project.projectName);
  const edit = useEditProject(project._id);
  const typed = trimmed(name);
  const isTooLong = typed.length > LIMITS.projectName;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (typed === '' || isTooLong || edit.isPending) return;
    edit.mutate({ projectName: typed }, { onSuccess: onClose });
  };
  const error = isTooLong ? detailOf('limit.projectName') : edit.error ? errorMessage(edit.error) : undefined;
  const footer = (
    <>
      <Button variant="quiet" onPress={onClose}>
        Cancel
      </Button>
      <Button variant="primary" type="submit" form={formId} isPending={edit.isPending} isDisabled={typed === ''}>
        Rename
      </Button>
    </>
  );
  return (
    <Dialog title="Rename project" isOpen onClose={onClose} footer={footer}>
      <form id={formId} onSubmit={submit}>
        <TextField label="Title" value={name} onChange={setName} autoComplete="off" autoFocus {...(error === undefined ? {} : { error })} />
      </form>
    </Dialog>
  );
}
