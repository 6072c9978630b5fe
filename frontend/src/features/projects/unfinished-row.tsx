import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import { Button } from '../../shared/ui/button';

interface UnfinishedRowProps {
  readonly project: ListedProject;
  readonly onGoOn: () => void;
  readonly onRemove: () => void;
}

/** A project whose upload broke off: nobody else sees it, and it leads nowhere yet. */
export const UnfinishedRow = ({ project, onGoOn, onRemove }: UnfinishedRowProps) => (
  <li className="proj unfinished">
    <div className="cut">
      <h3 className="cut">{project.projectName}</h3>
      <p className="who meta">Its first version is missing</p>
    </div>
    <p className="soft">The upload was interrupted. Continue with a file, or remove the project. After 24 hours it is removed automatically.</p>
    <div className="flex">
      <Button size="s" onPress={onGoOn}>
        Continue
      </Button>
      <Button size="s" variant="danger-quiet" onPress={onRemove}>
        Remove
      </Button>
    </div>
  </li>
);
