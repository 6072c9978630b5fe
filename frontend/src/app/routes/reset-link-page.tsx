import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { ResetPasswordForm } from '../../features/front-door/reset-password-form';
import { sessionQuery } from '../../shared/session/session-query';
import { buttonClass } from '../../shared/ui/button-class';
import { useToast } from '../../shared/ui/toast-queue';
import { paths } from '../paths';
import { FrontPage } from './front-page';
import { LinkSpent } from './link-spent';
import { NoIndex } from './no-index';

/** Behind the link of a reset e-mail. A new password leads to the login. */
export function ResetLinkPage() {
  const { token = '' } = useParams();
  const [isSpent, setSpent] = useState(false);
  const navigate = useNavigate();
  const cache = useQueryClient();
  const toaster = useToast();
  const finish = async () => {
    // The account's sessions have ended, this browser's among them if it was signed in.
    await cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    toaster.show({ message: 'Your password was changed.' });
    await navigate(paths.login, { replace: true });
  };
  return (
    <FrontPage heading="New Password">
      <NoIndex />
      {isSpent ? (
        <LinkSpent message={detailOf('reset.spent')}>
          <Link className={buttonClass({ variant: 'primary', size: 'l', isWide: true })} to={paths.passwordReset}>
            Request a new link
          </Link>
        </LinkSpent>
      ) : (
        <ResetPasswordForm token={token} onDone={() => void finish()} onSpent={() => setSpent(true)} />
      )}
    </FrontPage>
  );
}
