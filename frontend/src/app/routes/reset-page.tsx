import { ResetRequestForm } from '../../features/front-door/reset-request-form';
import { FrontPage } from './front-page';

/** Where a user asks for a link that resets the password. */
export const ResetPage = () => (
  <FrontPage heading="Reset Password">
    <ResetRequestForm />
  </FrontPage>
);
