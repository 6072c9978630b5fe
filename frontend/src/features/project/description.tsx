import { mayEditProject, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { useState } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { Button } from '../../shared/ui/button';
import { TextArea } from '../../shared/ui/text-area';
import { useEditProject } from './project.queries';

interface DescriptionProps {
  readonly project: ProjectView;
  readonly viewer: Viewer;
}

function Editor({ project, onDone }: { readonly project: ProjectView; readonly onDone: () => void }) {
  const [text, setText] = useState(project.description);
  const edit = useEditProject(project._id);
  const isTooLong = text.length > LIMITS.description;
  const error = isTooLong ? detailOf('limit.description') : edit.error ? errorMessage(edit.error) : undefined;
  const save = () => edit.mutate({ description: text }, { onSuccess: onDone });
  return (
    <div className="stack">
      <TextArea label="Description" value={text} onChange={setText} limit={LIMITS.description} rows={4} autoFocus {...(error === undefined ? {} : { error })} />
      <div className="flex">
        <span className="grow" />
        <Button size="s" variant="quiet" onPress={onDone}>
          Cancel
        </Button>
        <Button size="s" isPending={edit.isPending} isDisabled={isTooLong} onPress={save}>
          Save
        </Button>
      </div>
    </div>
  );
}

/** The project's description; its owner edits it in place. */
export function Description({ project, viewer }: DescriptionProps) {
  const [isEdited, setEdited] = useState(false);
  const mayEdit = mayEditProject(viewer);
  if (isEdited && mayEdit) return <Editor project={project} onDone={() => setEdited(false)} />;
  if (project.description === '' && !mayEdit) return null;
  return (
    <p className="soft description">
      {project.description}{' '}
      {mayEdit && (
        <button type="button" className="link" onClick={() => setEdited(true)}>
          {project.description === '' ? 'Add a description' : 'Edit'}
          {project.description !== '' && <span className="sr"> the description</span>}
        </button>
      )}
    </p>
  );
}
