import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { Bell, BellRing } from 'lucide-react';
import { Avatar, type AvatarSize } from '../../shared/ui/avatar';
import { Icon } from '../../shared/ui/icon';
import styles from './notifications.module.css';

/** Who did it, or that the system reminds. */
export function NotificationFace({ view: { user, type }, size }: { readonly view: NotificationView; readonly size: AvatarSize }) {
  if (user !== null) return <Avatar name={fullName(user)} photo={user.smallPhoto} size={size} isDecorative />;
  return (
    <span className={styles['system']}>
      <Icon of={type === 'TodoReminder' ? BellRing : Bell} size={18} />
    </span>
  );
}

/** The sentence, with the name it starts with in bold. */
export function NotificationMessage({ view: { user, message } }: { readonly view: Pick<NotificationView, 'user' | 'message'> }) {
  const name = user === null ? '' : isolated(fullName(user));
  if (name === '' || !message.startsWith(name)) return message;
  return (
    <>
      <b>{name}</b>
      {message.slice(name.length)}
    </>
  );
}
