import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState, type SubmitEvent } from 'react';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { Dialog } from '../../shared/ui/dialog';
import { Tabs } from '../../shared/ui/tabs';
import { showProblem } from './account-field';
import { BlockedPeople } from './blocked-people';
import { Devices } from './devices';
import type { FormProblem } from './form-problem';
import { NotificationFields } from './notification-fields';
import { PasswordFields } from './password-fields';
import { ProgramVersion } from './program-version';
import { ProfileFields } from './profile-fields';
import { SETTINGS_TABS, type SettingsTab } from './settings-tabs';
import styles from './settings.module.css';
import { StorageUse } from './storage-use';
import { useSaveSettings } from './use-save-settings';
import { type SettingsDraft, useSettingsDraft } from './use-settings-draft';

const LABELS: Readonly<Record<SettingsTab, string>> = { profile: 'Profile', notifications: 'Notifications' };

interface FooterProps {
  readonly formId: string;
  readonly status: string;
  readonly isSaving: boolean;
  readonly isDirty: boolean;
  readonly onLeave: () => void;
}

function Footer({ formId, status, isSaving, isDirty, onLeave }: FooterProps) {
  const save = useRef<HTMLButtonElement>(null);
  const leave = useRef<HTMLButtonElement>(null);
  const canSave = isDirty || isSaving;
  useLayoutEffect(() => {
    // A disabled button loses the focus, and Escape then no longer reaches the dialog.
    if (!canSave && document.activeElement === save.current) leave.current?.focus();
  }, [canSave]);
  return (
    <>
      <span className="meta grow" role="status">
        {status}
      </span>
      <Button variant="quiet" ref={leave} onPress={onLeave}>
        {isSaving ? 'Stop' : isDirty ? 'Cancel' : 'Done'}
      </Button>
      <Button variant="primary" type="submit" ref={save} form={formId} isPending={isSaving} isDisabled={!canSave}>
        Save
      </Button>
    </>
  );
}

interface TabFormProps {
  readonly ref: RefObject<HTMLFormElement | null>;
  readonly id: string;
  readonly label: string;
  readonly problem: FormProblem | null;
  readonly onSave: () => void;
  readonly children: ReactNode;
}

/** The fields of the open tab. Saving saves both tabs. */
function TabForm({ ref, id, label, problem, onSave, children }: TabFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <form className={styles.form} id={id} ref={ref} onSubmit={submit} aria-label={label}>
      {children}
      {problem?.field === null && <Banner tone="bad">{problem.message}</Banner>}
    </form>
  );
}

/** Each tab starts at its top. */
function useScrolledUp(tab: SettingsTab): RefObject<HTMLDivElement | null> {
  const top = useRef<HTMLDivElement>(null);
  const shown = useRef(tab);
  useLayoutEffect(() => {
    if (shown.current === tab) return;
    shown.current = tab;
    top.current?.scrollIntoView({ block: 'start' });
  }, [tab]);
  return top;
}

/** Words for the footer: what goes on, or which tab that is not open holds changes. */
function statusOf({ isSaving, isSaved }: { readonly isSaving: boolean; readonly isSaved: boolean }, { unsaved }: SettingsDraft, open: SettingsTab): string {
  if (isSaving) return 'saving';
  if (isSaved) return 'changes saved';
  const other = SETTINGS_TABS.find((tab) => tab !== open && unsaved[tab]);
  return other === undefined ? '' : `Not saved yet: ${LABELS[other]}`;
}

interface PanelProps {
  readonly user: SelfView;
  readonly draft: SettingsDraft;
  readonly saving: ReturnType<typeof useSaveSettings>;
  readonly form: { readonly ref: RefObject<HTMLFormElement | null>; readonly id: string };
}

function ProfilePanel({ user, draft, saving: { problem, sent, isSaving, save }, form }: PanelProps) {
  return (
    <>
      <TabForm {...form} label={LABELS.profile} problem={problem} onSave={save}>
        <ProfileFields user={user} draft={draft} problem={problem} sent={sent} isLocked={isSaving} />
        <PasswordFields password={draft.password} onChange={draft.editPassword} problem={problem} email={user.email} />
      </TabForm>
      <StorageUse />
      <Devices />
      <BlockedPeople user={user} />
      <ProgramVersion />
    </>
  );
}

const NotificationsPanel = ({ user, draft, saving: { problem, save }, form, pushHere }: PanelProps & { readonly pushHere: ReactNode }) => (
  <TabForm {...form} label={LABELS.notifications} problem={problem} onSave={save}>
    <NotificationFields draft={draft} email={user.email} pushHere={pushHere} />
  </TabForm>
);

export interface SettingsDialogProps {
  readonly user: SelfView;
  /** The tab that is open at first. */
  readonly tab?: SettingsTab;
  /** What turns push notifications on in this browser. */
  readonly pushHere?: ReactNode;
  readonly onClose: () => void;
}

/** The user's profile, password, devices and notifications. Nothing is sent before Save; what is not saved is not left without a question. */
export function SettingsDialog({ user, tab: first = 'profile', pushHere, onClose }: SettingsDialogProps) {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [tab, setTab] = useState(first);
  const [isLeaving, setLeaving] = useState(false);
  const draft = useSettingsDraft(user);
  // Every field that a problem can name is in the profile.
  const saving = useSaveSettings(user, draft, ({ field }) => field !== null && setTab('profile'));
  const top = useScrolledUp(tab);
  useEffect(() => showProblem(form.current, saving.problem), [saving.problem]);
  const leave = () => {
    if (saving.isSaving) saving.stop();
    else if (draft.isDirty) setLeaving(true);
    else onClose();
  };
  const panel = { user, draft, saving, form: { ref: form, id: formId } };
  const tabs = SETTINGS_TABS.map((id) => ({
    id,
    label: LABELS[id],
    isUnsaved: draft.unsaved[id],
    panel: (
      <div className={styles.tab} ref={top}>
        {id === 'profile' ? <ProfilePanel {...panel} /> : <NotificationsPanel {...panel} pushHere={pushHere} />}
      </div>
    ),
  }));
  const footer = <Footer formId={formId} status={statusOf(saving, draft, tab)} isSaving={saving.isSaving} isDirty={draft.isDirty} onLeave={leave} />;
  return (
    <Dialog title="Settings" size="xl" isTall isOpen onClose={leave} footer={footer}>
      <Tabs label="Settings" tabs={tabs} selected={tab} onSelect={setTab} />
      <ConfirmDialog title="Discard changes?" isOpen={isLeaving} onClose={() => setLeaving(false)} onConfirm={onClose} confirm="Discard" cancel="Keep editing">
        What you changed here is not saved.
      </ConfirmDialog>
    </Dialog>
  );
}
