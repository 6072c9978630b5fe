import type { PushKind } from '@roughmix/contracts/notifications/notification.types.js';
import type { ReactNode } from 'react';
import { Switch } from '../../shared/ui/switch';
import styles from './settings.module.css';
import type { SettingsDraft } from './use-settings-draft';

/** In the order of their switches. */
const PUSH_KINDS: Readonly<Record<PushKind, { readonly label: string; readonly hint: string }>> = {
  todoReminders: { label: 'Todo reminders', hint: 'Todos that you wrote or are mentioned in.' },
  mentions: { label: 'Mentions', hint: 'Someone mentions you in a comment, a todo or a reply.' },
  replies: { label: 'Replies', hint: 'Someone replies to you, or after you in the same thread.' },
  invitations: {
    label: 'Invitations and permissions',
    hint: 'You are invited to a project or removed from it, someone leaves a project of yours, or what you may do changes.',
  },
  activity: { label: 'Everything else', hint: 'New comments, todos and versions, completed todos, and other changes in your projects.' },
};

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly about: ReactNode;
  readonly children: ReactNode;
}

const Section = ({ id, title, about, children }: SectionProps) => (
  <section className={styles.kinds} aria-labelledby={id}>
    <div className={styles.about}>
      <h3 className="h-panel" id={id}>
        {title}
      </h3>
      <p className="hint">{about}</p>
    </div>
    <div className={styles.switches}>{children}</div>
  </section>
);

type Draft = Pick<SettingsDraft, 'settings' | 'choose'>;

/** While pushes are off, all kinds show as off. They are as before once pushes are on again. */
function PushSwitches({ settings: { pushNotifs }, choose }: Draft) {
  const { enabled } = pushNotifs;
  return (
    <>
      <Switch
        label="Send push notifications"
        hint="To each browser where you turned them on. While this is off, none gets any."
        isSelected={enabled}
        onChange={(isOn) => choose('pushNotifs', { enabled: isOn })}
      />
      <fieldset className={styles.switches} disabled={!enabled}>
        <legend className="field-label">Notify me about</legend>
        {Object.entries(PUSH_KINDS).map(([kind, words]) => (
          <Switch {...words} key={kind} isSelected={enabled && pushNotifs[kind as PushKind]} onChange={(isOn) => choose('pushNotifs', { [kind]: isOn })} />
        ))}
      </fieldset>
    </>
  );
}

function MailSwitches({ settings: { mailNotifs }, choose }: Draft) {
  return (
    <>
      <Switch
        label="Reminder e-mails"
        hint="For todos that you wrote or are mentioned in, if Roughmix is closed and no push reaches you."
        isSelected={mailNotifs.todoReminders}
        onChange={(todoReminders) => choose('mailNotifs', { todoReminders })}
      />
      <Switch
        label="Daily digest"
        hint="Every day at 08:00 in your time zone: what is new since the last one. No e-mail if nothing is new."
        isSelected={mailNotifs.digest}
        onChange={(digest) => choose('mailNotifs', { digest })}
      />
    </>
  );
}

export interface NotificationFieldsProps {
  readonly draft: Draft;
  /** Where e-mails go. */
  readonly email: string;
  /** What turns push notifications on in this browser. */
  readonly pushHere?: ReactNode;
}

/** What reaches the user outside the page, and how. */
export function NotificationFields({ draft, email, pushHere }: NotificationFieldsProps) {
  return (
    <>
      <Section
        id="settings-push"
        title="Push notifications"
        about="They appear on your device, also while Roughmix is closed. Roughmix itself always lists all notifications."
      >
        {pushHere}
        <PushSwitches {...draft} />
      </Section>
      <Section
        id="settings-mail"
        title="E-mail"
        about={
          <>
            To <span className={styles.address}>{email}</span>. E-mails about your password and new sign-ins are always sent.
          </>
        }
      >
        <MailSwitches {...draft} />
      </Section>
    </>
  );
}
