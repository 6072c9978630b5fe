import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { errorMessage, isProblem } from '../../shared/api/api-errors';
import { useSession } from '../../shared/session/session-provider';
import { Button } from '../../shared/ui/button';
import { buttonClass } from '../../shared/ui/button-class';
import { ErrorState } from '../../shared/ui/error-state';
import { paths } from '../paths';
import { FrontPage } from './front-page';
import { LinkSpent } from './link-spent';
import { NoIndex } from './no-index';

const Spent = () => (
  <LinkSpent message={detailOf('invite.spent')}>
    <p className="soft">Invites work for a week, until a newer one is sent or the profile is complete. Write to us, and we send another.</p>
    <Link className={buttonClass({ variant: 'primary', size: 'l', isWide: true })} to={paths.contact}>
      Contact
    </Link>
    <Link className={buttonClass({ variant: 'outline', size: 'l', isWide: true })} to={paths.login}>
      Log In
    </Link>
  </LinkSpent>
);

/** Behind the link of an invite e-mail: signs in, which leads to the welcome page. */
export function InvitePage() {
  const { token = '' } = useParams();
  const { user, acceptInvite } = useSession();
  const navigate = useNavigate();
  const { mutate, isPending, isIdle, error } = useMutation({
    mutationFn: () => acceptInvite(token),
    onSuccess: () => void navigate(paths.projects, { replace: true }),
  });
  // An account in use is not left without a question.
  const inUse = user !== null && !user.isGuest && user.profileCompletion > 0 ? user : null;
  const mayStart = useRef(inUse === null);
  useEffect(() => {
    if (!mayStart.current) return;
    mayStart.current = false;
    mutate();
  }, [mutate]);
  const content = isProblem(error, 'invite.spent') ? (
    <Spent />
  ) : error !== null ? (
    <ErrorState onRetry={() => mutate()}>{errorMessage(error)}</ErrorState>
  ) : inUse !== null && isIdle ? (
    <div className="stack">
      <p>You are signed in as {isolated(fullName(inUse))}. This invite signs you out and opens another account.</p>
      <Button variant="primary" size="l" isWide onPress={() => mutate()} isPending={isPending}>
        Continue
      </Button>
    </div>
  ) : (
    <p role="status">One sec</p>
  );
  return (
    <FrontPage heading="Your Invite">
      <NoIndex />
      {content}
    </FrontPage>
  );
}
