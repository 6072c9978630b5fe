import { Button } from '../../shared/ui/button';
import type { ButtonVariant } from '../../shared/ui/button-class';
import { InviteForm } from './invite-form';
import { PopoverForm, type PopoverFormProps } from './popover-form';

/** The Request Invite button of a public page, with its form. */
export const InvitePopover = ({ variant = 'outline', edge }: { readonly variant?: ButtonVariant } & Pick<PopoverFormProps, 'edge'>) => (
  <PopoverForm
    edge={edge}
    label="Request Invite"
    trigger={(trigger) => (
      <Button {...trigger} variant={variant} size="l">
        Request Invite
      </Button>
    )}
  >
    <InviteForm />
  </PopoverForm>
);
