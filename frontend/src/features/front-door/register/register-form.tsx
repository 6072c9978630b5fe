import { PROBLEMS, type ProblemCode } from '@roughmix/contracts/shared/problems.js';
import type { AddUserBody } from '@roughmix/contracts/users/user.api.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiProblem, errorMessage } from '../../../shared/api/api-errors';
import { api } from '../../../shared/api/client';
import { Button } from '../../../shared/ui/button';
import { FieldError } from '../../../shared/ui/field';
import { TextField } from '../../../shared/ui/text-field';
import { useFocusInvalid } from '../../../shared/ui/use-focus-invalid';
import { DoneNote } from '../done-note';
import styles from '../front-door.module.css';
import type { AdminKey } from './use-admin-key';

interface Registration {
  readonly key: string;
  readonly body: AddUserBody;
}

const EMAIL_CODES: readonly ProblemCode[] = ['email.invalid', 'user.email-taken'];
const PASSWORD_CODES = Object.keys(PROBLEMS).filter((code) => code.startsWith('password.'));

const addUser = async ({ key, body }: Registration) => (await api.send<UserAddedAnswer>('POST', USER_PATHS.addUser(key), body, { retries: 0 })).answer;

/** Where an error belongs; a wrong key is said at its own field. */
function placeOf(error: unknown): 'email' | 'password' | 'form' | 'key' | null {
  if (error === null) return null;
  const code = error instanceof ApiProblem ? error.problem.code : 'internal';
  if (code === 'admin.unauthorized') return 'key';
  if (EMAIL_CODES.includes(code)) return 'email';
  return PASSWORD_CODES.includes(code) ? 'password' : 'form';
}

/** Adds a user. It sends no names, so that the welcome page asks for them, and for a password of the user's own. */
export function RegisterForm({ adminKey }: { readonly adminKey: AdminKey }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, reset, isPending, data, error } = useMutation({
    mutationFn: addUser,
    onSuccess: () => {
      setEmail('');
      setPassword('');
    },
    onError: adminKey.checkError,
  });
  const form = useFocusInvalid(error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const key = isPending ? null : adminKey.take();
    if (key !== null) mutate({ key, body: { email: email.trim(), password } });
  };
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    reset();
  };
  const place = placeOf(error);
  const errorAt = (one: typeof place) => (place === one ? errorMessage(error) : undefined);
  return (
    <form ref={form} className={styles.form} onSubmit={submit} aria-label="Register User">
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        required
        size="l"
        placeholder="new.person@band.example"
        value={email}
        onChange={change(setEmail)}
        error={errorAt('email')}
      />
      <TextField
        label="Temporary password"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        size="l"
        value={password}
        onChange={change(setPassword)}
        error={errorAt('password')}
        hint="Replaced on the welcome page."
      />
      <Button type="submit" variant="primary" size="l" isWide isPending={isPending}>
        Register User
      </Button>
      <DoneNote>{data?.message}</DoneNote>
      {place === 'form' && <FieldError>{errorMessage(error)}</FieldError>}
    </form>
  );
}
