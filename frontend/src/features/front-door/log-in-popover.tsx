import { LoginForm } from '../../shared/session/login-form';
import { Button } from '../../shared/ui/button';
import { PopoverForm } from './popover-form';
import { ResetLink } from './reset-link';

/** The Log In button of a public page, with its form. */
export const LogInPopover = () => (
  <PopoverForm
    label="Log In"
    trigger={(trigger) => (
      <Button {...trigger} variant="quiet" size="l">
        Log In
      </Button>
    )}
  >
    <LoginForm offersGuest={false} besidePassword={<ResetLink />} />
  </PopoverForm>
);
