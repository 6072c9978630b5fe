import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import type { Removal } from './remove-user.queries';

const KEPT =
  'Projects with other members stay, without this person. What they wrote there stays under [removed user]. Projects without other members are removed. None of this can be undone.';

interface RemoveUserDialogProps {
  readonly removal: Removal;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Says who is removed and what is kept. Render it within WhileOpen. */
export function RemoveUserDialog({ removal, isPending, onClose, onConfirm }: RemoveUserDialogProps) {
  const { user, who } = removal;
  const common = { isOpen: true, onClose, onConfirm, isPending };
  if (user === null) {
    return (
      <ConfirmDialog {...common} title="Delete what they sent?" confirm="Delete">
        No account has the address {who}. Delete the invite requests and messages sent from it?
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog {...common} title={`Remove ${isolated(fullName(user))}?`} confirm="Remove User" stays={KEPT}>
      {user.username}, {user.email}, here since {new Date(user.dateAdded).toLocaleDateString('en-GB', { dateStyle: 'medium' })}. The account, its sessions and
      what this address sent are deleted.
    </ConfirmDialog>
  );
}
