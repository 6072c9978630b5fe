import type { InviteRequestBody } from '@roughmix/contracts/inquiries/inquiry.api.js';
import { INQUIRY_PATHS } from '@roughmix/contracts/inquiries/inquiry.paths.js';
import type { InviteRequestedAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { errorMessage, isProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { Button } from '../../shared/ui/button';
import { FieldError } from '../../shared/ui/field';
import { TextField } from '../../shared/ui/text-field';
import { DoneNote } from './done-note';
import styles from './front-door.module.css';
import { isLooselyEmail } from './loose-email';

const requestInvite = async (email: string) => {
  const body: InviteRequestBody = { email };
  return (await api.send<InviteRequestedAnswer>('POST', INQUIRY_PATHS.inviteRequests, body, { retries: 0 })).answer;
};

/** Asks for an invite. An address that cannot be one is ignored without a message, here and by the server. */
export function InviteForm({ autoFocus = false }: { readonly autoFocus?: boolean }) {
  const [email, setEmail] = useState('');
  const { mutate, reset, isPending, data, error } = useMutation({ mutationFn: requestInvite });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPending && data === undefined && isLooselyEmail(email)) mutate(email.trim());
  };
  const change = (text: string) => {
    setEmail(text);
    reset();
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit} aria-label="Request Invite">
      <p className="soft">Roughmix is invite-only while it is in beta. One email, when there is room.</p>
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="email"
        placeholder="you@yourband.example"
        required
        size="l"
        value={email}
        onChange={change}
        autoFocus={autoFocus}
      />
      <Button type="submit" variant="primary" size="l" isWide isPending={isPending} aria-disabled={data !== undefined}>
        Request Invite
      </Button>
      <DoneNote>{data?.message}</DoneNote>
      {error !== null && !isProblem(error, 'email.invalid') && <FieldError>{errorMessage(error)}</FieldError>}
    </form>
  );
}
