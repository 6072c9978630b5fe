import { Frown, Headphones } from 'lucide-react';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { isProblem, errorMessage } from '../api/api-errors';
import { Button } from '../ui/button';
import { FieldError } from '../ui/field';
import { Icon } from '../ui/icon';
import { TextField } from '../ui/text-field';
import { useFocusInvalid } from '../ui/use-focus-invalid';
import './login-form.css';
import { useSession } from './session-provider';

type SignInMethod = 'account' | 'guest';

/** Runs one sign-in at a time; its error remains until the next attempt. */
function useSignIn() {
  const { signIn, signInAsGuest } = useSession();
  const [pending, setPending] = useState<SignInMethod | null>(null);
  const [error, setError] = useState<unknown>(null);
  const go = async (method: SignInMethod, enter: () => Promise<void>) => {
    setPending(method);
    setError(null);
    try {
      await enter();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(null);
    }
  };
  return {
    pending,
    error,
    signIn: (email: string, password: string) => void go('account', () => signIn(email, password)),
    signInAsGuest: () => void go('guest', signInAsGuest),
  };
}

export interface LoginFormProps {
  readonly offersGuest?: boolean;
  /** E-mail of the user whose session ended, so that only the password is needed. */
  readonly knownEmail?: string;
  /** Focuses the first empty field. */
  readonly autoFocus?: boolean;
  /** At the end of the password's label: a link to reset it. */
  readonly besidePassword?: ReactNode;
  /** Under the button of the guest. */
  readonly foot?: ReactNode;
}

/** Sign-in with e-mail and password, or as a guest. */
export function LoginForm({ offersGuest = true, knownEmail = '', autoFocus = false, besidePassword, foot }: LoginFormProps) {
  const attempt = useSignIn();
  const form = useFocusInvalid(attempt.error);
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState('');
  const wrong = isProblem(attempt.error, 'auth.failed') ? (
    <>
      <span>{errorMessage(attempt.error)}</span> <Icon of={Frown} size={14} />
    </>
  ) : undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (attempt.pending === null) attempt.signIn(email, password);
  };
  return (
    <form ref={form} className="login-form" onSubmit={submit} aria-label="Log In">
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        size="l"
        value={email}
        onChange={setEmail}
        autoFocus={autoFocus && knownEmail === ''}
      />
      <TextField
        label="Password"
        beside={besidePassword}
        type="password"
        name="password"
        autoComplete="current-password"
        required
        size="l"
        value={password}
        onChange={setPassword}
        error={wrong}
        autoFocus={autoFocus && knownEmail !== ''}
      />
      {attempt.error !== null && wrong === undefined && <FieldError>{errorMessage(attempt.error)}</FieldError>}
      <Button type="submit" variant="primary" size="l" isWide isPending={attempt.pending === 'account'}>
        Log In
      </Button>
      {offersGuest && (
        <>
          <div className="or">or</div>
          <Button variant="outline" size="l" isWide icon={Headphones} isPending={attempt.pending === 'guest'} onPress={attempt.signInAsGuest}>
            Look around as a guest
          </Button>
          <p className="hint">Guests can look and listen, but not change anything.{foot}</p>
        </>
      )}
    </form>
  );
}
