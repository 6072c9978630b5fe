import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { relativePast } from '@roughmix/contracts/shared/relative-time.js';
import { X } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useNow } from '../../shared/hooks/use-now';
import { classNames } from '../../shared/ui/class-names';
import { IconButton } from '../../shared/ui/icon-button';
import { When } from '../../shared/ui/when';
import { InvitationActions, type InvitationAnswer, isInvitation } from './invitation-actions';
import { NotificationFace, NotificationMessage } from './notification-message';
import styles from './notifications.module.css';

export interface EntryProps {
  readonly view: NotificationView;
  /** Marks it as read. */
  readonly onRead: (view: NotificationView) => void;
  /** Called before its subject opens. */
  readonly onOpen: () => void;
  /** The user wants to leave the project of an invitation, or to block its sender. */
  readonly onAnswer: (answer: InvitationAnswer) => void;
}

/** One notification: it leads to its subject, and can be dismissed while it is unread. */
export function NotificationEntry({ view, onRead, onOpen, onAnswer }: EntryProps) {
  const now = useNow();
  const open = () => {
    onRead(view);
    onOpen();
  };
  const text = (
    <>
      <span className={styles['message']} dir="auto">
        <NotificationMessage view={view} />
        {view.isUnread && <span className="sr">, unread</span>}
      </span>
      <span className="meta">
        <When at={view.dateAdded}>{relativePast(view.dateAdded, now)}</When>
        {view.gone && view.href !== null && ', no longer there'}
      </span>
    </>
  );
  return (
    <div className={classNames(styles['entry'], view.isUnread && styles['new'], view.gone && styles['gone'])}>
      <NotificationFace view={view} size={32} />
      {view.href === null ? (
        <div className={styles['text']}>{text}</div>
      ) : (
        <Link className={styles['text']} to={view.href} onClick={open} data-entry="">
          {text}
        </Link>
      )}
      {view.isUnread && <IconButton size="s" label="Dismiss" icon={X} onPress={() => onRead(view)} />}
      {isInvitation(view) && <InvitationActions view={view} onAnswer={onAnswer} />}
    </div>
  );
}
