import { useSession } from '../../../shared/session/session-provider';
import { RegistrationForm } from './registration-form';

export interface FirstAccountFormProps {
  readonly token: string;
  readonly onMade: () => void;
  readonly onError: (error: Error) => void;
}

/** Makes the first account with the token that the program printed, which signs it in. */
export function FirstAccountForm({ token, onMade, onError }: FirstAccountFormProps) {
  const { registerFirst } = useSession();
  const register = async ({ email, password }: { readonly email: string; readonly password: string }) => {
    await registerFirst({ token, email, password });
    onMade();
    return 'Account Created.';
  };
  return <RegistrationForm label="Create Account" register={register} shownElsewhere="invite.spent" onError={onError} />;
}
