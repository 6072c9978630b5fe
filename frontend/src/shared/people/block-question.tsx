import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { useToast } from '../ui/toast-queue';
import { useBlock } from './use-block';

export interface BlockQuestionProps {
  readonly person: PersonView;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks before a person is blocked. */
export function BlockQuestion({ person, isOpen, onClose }: BlockQuestionProps) {
  const { change } = useBlock(person);
  const toaster = useToast();
  const name = isolated(fullName(person));
  const block = () =>
    change.mutate(true, {
      onSuccess: () => {
        onClose();
        toaster.show({ message: `You blocked ${name}.` });
      },
    });
  return (
    <ConfirmDialog
      title={`Block ${name}?`}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={block}
      isPending={change.isPending}
      error={change.error}
      confirm="Block"
      stays="You both stay in the projects you share."
      hint="You can unblock them in your settings."
    >
      They can no longer add you to projects or find you to invite you. They will not be notified.
    </ConfirmDialog>
  );
}
