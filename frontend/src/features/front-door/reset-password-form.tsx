import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { ResetPasswordBody } from '@roughmix/contracts/users/user.api.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { errorMessage, isProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { Button } from '../../shared/ui/button';
import { TextField } from '../../shared/ui/text-field';
import { useFocusInvalid } from '../../shared/ui/use-focus-invalid';
import styles from './front-door.module.css';

const MISMATCH = 'Passwords do not match.';

export interface ResetPasswordFormProps {
  /** From the link. */
  readonly token: string;
  readonly onDone: () => void;
  /** The link no longer works. */
  readonly onSpent: () => void;
}

/** The new password, twice. A password that is refused does not use up the link. */
export function ResetPasswordForm({ token, onDone, onSpent }: ResetPasswordFormProps) {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [differs, setDiffers] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (newPassword: string) => {
      const body: ResetPasswordBody = { newPassword };
      await api.send('POST', USER_PATHS.passwordResetWith(token), body, { retries: 0 });
    },
    onSuccess: onDone,
    onError: (thrown) => isProblem(thrown, 'reset.spent') && onSpent(),
  });
  const form = useFocusInvalid(error);
  const confirmation = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setDiffers(password !== again);
    if (password !== again) confirmation.current?.focus();
    else if (!isPending) mutate(password);
  };
  return (
    <form ref={form} className={styles.form} onSubmit={submit} aria-label="Set Password">
      <TextField
        label="New Password"
        type="password"
        name="new-password"
        autoComplete="new-password"
        required
        size="l"
        value={password}
        onChange={setPassword}
        hint={`At least ${LIMITS.passwordMin} characters, no spaces.`}
        error={error === null || differs ? undefined : errorMessage(error)}
      />
      <TextField
        ref={confirmation}
        label="Confirm Password"
        type="password"
        name="confirm-password"
        autoComplete="new-password"
        required
        size="l"
        value={again}
        onChange={setAgain}
        error={differs ? MISMATCH : undefined}
      />
      <Button type="submit" variant="primary" size="l" isWide isPending={isPending}>
        Set Password
      </Button>
    </form>
  );
}
