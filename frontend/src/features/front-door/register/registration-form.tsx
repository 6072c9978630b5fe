import { PROBLEMS, type ProblemCode } from '@roughmix/contracts/shared/problems.js';
import type { AddUserBody } from '@roughmix/contracts/users/user.api.js';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiProblem, errorMessage, isProblem } from '../../../shared/api/api-errors';
import { Button } from '../../../shared/ui/button';
import { FieldError } from '../../../shared/ui/field';
import { TextField } from '../../../shared/ui/text-field';
import { useFocusInvalid } from '../../../shared/ui/use-focus-invalid';
import { DoneNote } from '../done-note';
import styles from '../front-door.module.css';

const EMAIL_CODES: readonly ProblemCode[] = ['email.invalid', 'user.email-taken'];
const PASSWORD_CODES = Object.keys(PROBLEMS).filter((code) => code.startsWith('password.'));

/** Where an error belongs. */
function placeOf(error: unknown): 'email' | 'password' | 'form' | null {
  if (error === null) return null;
  const code = error instanceof ApiProblem ? error.problem.code : 'internal';
  if (EMAIL_CODES.includes(code)) return 'email';
  return PASSWORD_CODES.includes(code) ? 'password' : 'form';
}

export interface RegistrationFormProps {
  readonly label: string;
  /** Registers, and returns what to say then. */
  readonly register: (body: AddUserBody) => Promise<string>;
  /** Whether it may be sent now. If not, the caller says why. */
  readonly mayStart?: () => boolean;
  /** A code whose message is shown by the caller. */
  readonly shownElsewhere: ProblemCode;
  readonly onError: (error: Error) => void;
}

/** Registers an account. It sends no names, so that the welcome page asks for them, and for a password of the user's own. */
export function RegistrationForm({ label, register, mayStart = () => true, shownElsewhere, onError }: RegistrationFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, reset, isPending, data, error } = useMutation({
    mutationFn: register,
    onSuccess: () => {
      setEmail('');
      setPassword('');
    },
    onError,
  });
  const form = useFocusInvalid(error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPending && mayStart()) mutate({ email: email.trim(), password });
  };
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    reset();
  };
  const place = isProblem(error, shownElsewhere) ? null : placeOf(error);
  const errorAt = (one: typeof place) => (place === one ? errorMessage(error) : undefined);
  return (
    <form ref={form} className={styles.form} onSubmit={submit} aria-label={label}>
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
        {label}
      </Button>
      <DoneNote>{data}</DoneNote>
      {place === 'form' && <FieldError>{errorMessage(error)}</FieldError>}
    </form>
  );
}
