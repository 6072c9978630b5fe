import { Switch } from '../../shared/ui/switch';
import styles from './settings.module.css';
import type { SettingsDraft } from './use-settings-draft';

interface NotificationFieldsProps {
  readonly draft: Pick<SettingsDraft, 'settings' | 'choose'>;
  /** Where e-mails go. */
  readonly email: string;
}

/** What reaches the user outside the page, and how. */
export function NotificationFields({ draft: { settings, choose }, email }: NotificationFieldsProps) {
  const { mailNotifs } = settings;
  return (
    <section className={styles.kinds} aria-labelledby="settings-mail">
      <div className={styles.about}>
        <h3 className="h-panel" id="settings-mail">
          E-mail
        </h3>
        <p className="hint">
          To <span className={styles.address}>{email}</span>. E-mails about your password and new sign-ins are always sent.
        </p>
      </div>
      <div className={styles.switches}>
        <Switch
          label="Reminder e-mails"
          hint="For todos that you wrote or are mentioned in, if Roughmix is closed and no push notification reaches you."
          isSelected={mailNotifs.todoReminders}
          onChange={(todoReminders) => choose('mailNotifs', { todoReminders })}
        />
        <Switch
          label="Daily digest"
          hint="Every day at 08:00 in your time zone: what is new since the last one. No e-mail if nothing is new."
          isSelected={mailNotifs.digest}
          onChange={(digest) => choose('mailNotifs', { digest })}
        />
      </div>
    </section>
  );
}
