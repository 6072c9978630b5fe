import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName, isErased, type PersonView } from '@roughmix/contracts/users/user.view.js';
import { useBlock } from '../../shared/people/use-block';
import { Button } from '../../shared/ui/button';
import styles from './notifications.module.css';

/** The notification that someone added the user to a project. */
export interface Invitation extends NotificationView {
  readonly user: PersonView;
  readonly parentResourceId: Id;
}

/** What the user wants to do about an invitation. */
export interface InvitationAnswer {
  readonly kind: 'leave' | 'block';
  readonly view: Invitation;
}

export const isInvitation = (view: NotificationView): view is Invitation =>
  view.type === 'ProjectUsersInvited' && view.parentResourceId !== null && view.user !== null && !isErased(view.user);

interface InvitationActionsProps {
  readonly view: Invitation;
  readonly onAnswer: (answer: InvitationAnswer) => void;
}

/** Buttons to leave the project of an invitation, and to block its sender. */
export function InvitationActions({ view, onAnswer }: InvitationActionsProps) {
  const { isBlocked } = useBlock(view.user);
  if (view.gone && isBlocked) return null;
  return (
    <div className={styles['actions']}>
      {!view.gone && (
        <Button size="s" variant="outline" onPress={() => onAnswer({ kind: 'leave', view })}>
          Leave
          <span className="sr"> {view.parentResourceName}</span>
        </Button>
      )}
      {!isBlocked && (
        <Button size="s" variant="quiet" onPress={() => onAnswer({ kind: 'block', view })}>
          <span className="cut">Block {isolated(fullName(view.user))}</span>
        </Button>
      )}
    </div>
  );
}
