import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { FirstAccountForm } from '../../features/front-door/register/first-account-form';
import { isProblem } from '../../shared/api/api-errors';
import { buttonClass } from '../../shared/ui/button-class';
import { paths } from '../paths';
import { FrontPage } from './front-page';
import { LinkSpent } from './link-spent';
import { NoIndex } from './no-index';

const Spent = () => (
  <LinkSpent message={detailOf('invite.spent')}>
    <p className="soft">It works until there is an account. While there is none, each start of the program prints a new link, and ends the earlier one.</p>
    <Link className={buttonClass({ variant: 'outline', size: 'l', isWide: true })} to={paths.login}>
      Log In
    </Link>
  </LinkSpent>
);

/** Behind the link that the program prints while it has no account: makes the first one, which leads to the welcome page. */
export function FirstAccountPage({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const [error, setError] = useState<Error | null>(null);
  return (
    <FrontPage heading="First Account">
      <NoIndex />
      {isProblem(error, 'invite.spent') ? (
        <Spent />
      ) : (
        <div className="stack">
          <p className="soft">The first account is an admin’s. The welcome page then asks for your name, a picture and a password of your own.</p>
          <FirstAccountForm token={token} onMade={() => void navigate(paths.projects, { replace: true })} onError={setError} />
        </div>
      )}
    </FrontPage>
  );
}
