import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { Dialog } from '../../shared/ui/dialog';
import { showProblem } from './account-field';
import { Devices } from './devices';
import { PasswordFields } from './password-fields';
import { ProfileFields } from './profile-fields';
import styles from './settings.module.css';
import { StorageUse } from './storage-use';
import { useSaveSettings } from './use-save-settings';
import { useSettingsDraft } from './use-settings-draft';

export interface SettingsDialogProps {
  readonly user: SelfView;
  readonly onClose: () => void;
}

interface FooterProps {
  readonly formId: string;
  readonly status: 'saving' | 'changes saved' | '';
  readonly isDirty: boolean;
  readonly onLeave: () => void;
}

function Footer({ formId, status, isDirty, onLeave }: FooterProps) {
  const isSaving = status === 'saving';
  return (
    <>
      <span className="meta grow" role="status">
        {status}
      </span>
      <Button variant="quiet" onPress={onLeave}>
        {isSaving ? 'Stop' : isDirty ? 'Cancel' : 'Done'}
      </Button>
      <Button variant="primary" type="submit" form={formId} isPending={isSaving} isDisabled={!isDirty && !isSaving}>
        Save
      </Button>
    </>
  );
}

/** The user's profile, password and devices. Nothing is sent before Save; what is not saved is not left without a question. */
export function SettingsDialog({ user, onClose }: SettingsDialogProps) {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const draft = useSettingsDraft(user);
  const { save, stop, problem, sent, isSaving, isSaved } = useSaveSettings(user, draft);
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => showProblem(form.current, problem), [problem]);
  const leave = () => {
    if (isSaving) stop();
    else if (draft.isDirty) setLeaving(true);
    else onClose();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save();
  };
  const status = isSaving ? 'saving' : isSaved ? 'changes saved' : '';
  return (
    <Dialog title="Settings" size="xl" isOpen onClose={leave} footer={<Footer formId={formId} status={status} isDirty={draft.isDirty} onLeave={leave} />}>
      <form className={styles.form} id={formId} ref={form} onSubmit={submit} aria-label="Profile">
        <ProfileFields user={user} draft={draft} problem={problem} sent={sent} isLocked={isSaving} />
        <PasswordFields password={draft.password} onChange={draft.editPassword} problem={problem} email={user.email} />
        {problem?.field === null && <Banner tone="bad">{problem.message}</Banner>}
      </form>
      <StorageUse />
      <Devices />
      <ConfirmDialog title="Discard changes?" isOpen={isLeaving} onClose={() => setLeaving(false)} onConfirm={onClose} confirm="Discard" cancel="Keep editing">
        What you changed here is not saved.
      </ConfirmDialog>
    </Dialog>
  );
}
