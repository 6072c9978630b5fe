import type { RequestResetBody } from '@roughmix/contracts/users/user.api.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { ResetRequestedAnswer } from '@roughmix/contracts/users/user.view.js';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { Button } from '../../shared/ui/button';
import { TextField } from '../../shared/ui/text-field';
import { useFocusInvalid } from '../../shared/ui/use-focus-invalid';
import { DoneNote } from './done-note';
import styles from './front-door.module.css';

const requestReset = async (email: string) => {
  const body: RequestResetBody = { email };
  return (await api.send<ResetRequestedAnswer>('POST', USER_PATHS.passwordReset, body, { retries: 0 })).answer;
};

/** Asks for a link that resets the password. Whether an address has an account is for the server to say. */
export function ResetRequestForm() {
  const [email, setEmail] = useState('');
  const { mutate, reset, isPending, data, error } = useMutation({ mutationFn: requestReset });
  const form = useFocusInvalid(error);
  const address = email.trim();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPending && address !== '') mutate(address);
  };
  const change = (text: string) => {
    setEmail(text);
    reset();
  };
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit} aria-label="Reset Password">
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        size="l"
        value={email}
        onChange={change}
        error={error === null ? undefined : errorMessage(error)}
      />
      <Button type="submit" variant="primary" size="l" isWide isPending={isPending} isDisabled={address === ''}>
        Reset Password
      </Button>
      <DoneNote>{data?.message}</DoneNote>
    </form>
  );
}
