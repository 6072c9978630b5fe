import { accessNumber } from '@roughmix/contracts/projects/project.access.js';
import type { InviteUsersBody } from '@roughmix/contracts/projects/project.api.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import { showsNothing } from '@roughmix/contracts/shared/visible-text.js';
import { useId, useState, type SubmitEvent } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { PeoplePicker } from '../../shared/people/people-picker';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { Dialog } from '../../shared/ui/dialog';
import { Switch } from '../../shared/ui/switch';
import { TextArea } from '../../shared/ui/text-area';
import { DOWNLOAD_HINT, type MemberRights } from './member-rights';
import { useInviteUsers } from './members.queries';
import './members.css';
import { useClosing } from './use-closing';

export interface InviteUsersDialogProps {
  readonly project: ProjectView;
  readonly onClose: () => void;
  readonly onProject: (project: ProjectView) => void;
}

const DEFAULTS: MemberRights = { comment: true, download: true, write: false };
const EVERYTHING = 3;

/** The request body of an invitation; write access includes commenting and downloading. */
export function invitationOf(people: readonly PersonView[], rights: MemberRights, message: string): InviteUsersBody {
  const level = rights.write ? EVERYTHING : accessNumber(rights);
  return { invitedUsers: people.map(({ uid }) => `${uid}-${level}`), writeAccess: rights.write, ...(showsNothing(message) ? {} : { message: message.trim() }) };
}

function RightsFields({ rights, onChange }: { readonly rights: MemberRights; readonly onChange: (rights: MemberRights) => void }) {
  const set = (change: Partial<MemberRights>) => onChange({ ...rights, ...change });
  return (
    <fieldset className="stack invite-rights">
      <legend className="field-label">Permissions</legend>
      <Switch label="Comment" isSelected={rights.write || rights.comment} isDisabled={rights.write} onChange={(comment) => set({ comment })} />
      <Switch label="Download" isSelected={rights.write || rights.download} isDisabled={rights.write} onChange={(download) => set({ download })} />
      <p className="hint">{DOWNLOAD_HINT}</p>
      <Switch label="Write: add versions, comment and download" isSelected={rights.write} onChange={(write) => set({ write })} />
    </fieldset>
  );
}

/** Invites people to the project. */
export function InviteUsersDialog({ project, onClose, onProject }: InviteUsersDialogProps) {
  const formId = useId();
  const [people, setPeople] = useState<readonly PersonView[]>([]);
  const [rights, setRights] = useState(DEFAULTS);
  const [message, setMessage] = useState('');
  const [hasSubmitted, setSubmitted] = useState(false);
  const invite = useInviteUsers(project, onProject);
  useClosing(invite.isSuccess, onClose);
  const isTooLong = message.length > LIMITS.inviteMessage;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (invite.isPending || invite.isSuccess) return;
    setSubmitted(true);
    if (people.length > 0 && !isTooLong) invite.mutate(invitationOf(people, rights, message));
  };
  const footer = (
    <>
      <Button variant="quiet" onPress={onClose}>
        {invite.isSuccess ? 'Close' : 'Cancel'}
      </Button>
      <Button variant="primary" type="submit" form={formId} isPending={invite.isPending} isDisabled={invite.isSuccess}>
        {invite.isError ? 'Retry' : 'Invite'}
      </Button>
    </>
  );
  return (
    <Dialog title="Invite Users" isOpen onClose={onClose} footer={footer}>
      <form id={formId} className="stack" onSubmit={submit} noValidate>
        {invite.isSuccess ? (
          <Banner tone="ok">Invitations sent.</Banner>
        ) : (
          <>
            <PeoplePicker
              takesFocus
              selected={people}
              onChange={setPeople}
              exclude={[project.owner.uid, ...(project.addedUsers ?? []).map(({ uid }) => uid)]}
            />
            {hasSubmitted && people.length === 0 && <Banner tone="bad">{detailOf('invite.nobody')}</Banner>}
            <RightsFields rights={rights} onChange={setRights} />
            <TextArea
              label="Message"
              placeholder="Add a message, up to 140 characters"
              rows={2}
              value={message}
              onChange={setMessage}
              {...(isTooLong ? { error: detailOf('limit.message') } : {})}
            />
            {invite.error !== null && <Banner tone="bad">{errorMessage(invite.error)}</Banner>}
          </>
        )}
      </form>
    </Dialog>
  );
}
