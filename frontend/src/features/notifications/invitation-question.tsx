import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useQueryClient } from '@tanstack/react-query';
import { BlockQuestion } from '../../shared/people/block-question';
import { LeaveQuestion } from '../../shared/project/leave-question';
import { useToast } from '../../shared/ui/toast-queue';
import type { InvitationAnswer } from './invitation-actions';
import { notificationsOf, useReading } from './notifications.queries';

interface InvitationQuestionProps {
  readonly answer: InvitationAnswer;
  readonly onClose: () => void;
  readonly onLeft: (projectId: Id) => void;
}

/** Asks before the user leaves the project of an invitation, or blocks its sender. */
export function InvitationQuestion({ answer: { kind, view }, onClose, onLeft }: InvitationQuestionProps) {
  const { user, receiverId, parentResourceId: _id, parentResourceName } = view;
  const cache = useQueryClient();
  const toaster = useToast();
  const { markAsRead } = useReading(receiverId);
  const left = (message: string) => {
    onClose();
    toaster.show({ message });
    markAsRead(view);
    // Then the list shows the project as no longer there. It is closed, so an invalidation would not fetch it.
    cache.infiniteQuery({ ...notificationsOf(receiverId, cache), staleTime: 0 }).catch(() => undefined);
    onLeft(_id);
  };
  if (kind === 'block') return <BlockQuestion person={user} isOpen onClose={onClose} />;
  return <LeaveQuestion project={{ _id, projectName: parentResourceName ?? '' }} visibility={null} isOpen onClose={onClose} onLeft={left} />;
}
