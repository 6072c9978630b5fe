import { useSession } from '../../shared/session/session-provider';
import { Dialog } from '../../shared/ui/dialog';
import { InviteForm } from './invite-form';

/** Asks for an invite over any page: offered where a guest cannot go on. */
export function InviteDialog() {
  const { isInviteOpen, closeInvite } = useSession();
  return (
    <Dialog title="Request Invite" size="s" isOpen={isInviteOpen} onClose={closeInvite}>
      <InviteForm autoFocus />
    </Dialog>
  );
}
