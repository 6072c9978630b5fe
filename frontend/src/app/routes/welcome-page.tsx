import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useNavigate } from 'react-router-dom';
import { InactivitySignOut } from '../../features/account/inactivity-sign-out';
import { WelcomeCompletion } from '../../features/account/welcome-completion';
import { WelcomeForm } from '../../features/account/welcome-form';
import { welcomeStage } from '../../features/account/welcome-stage';
import { errorMessage } from '../../shared/api/api-errors';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import { useSession } from '../../shared/session/session-provider';
import { cacheSelf } from '../../shared/session/session-query';
import { Button } from '../../shared/ui/button';
import { buttonClass } from '../../shared/ui/button-class';
import { Logo } from '../../shared/ui/logo';
import { useToast } from '../../shared/ui/toast-queue';
import { paths } from '../paths';
import './welcome-page.css';

function SignOut() {
  const { signOut } = useSession();
  const toaster = useToast();
  const leave = () => void signOut().catch((error: unknown) => toaster.show({ kind: 'failed', message: errorMessage(error) }));
  return (
    <Button variant="quiet" onPress={leave}>
      Sign Out
    </Button>
  );
}

function Accepted({ user }: { readonly user: SelfView }) {
  const navigate = useNavigate();
  return (
    <WelcomeCompletion title={`Welcome, ${isolated(user.firstName)}`} onElapsed={() => void navigate(paths.projects, { replace: true })}>
      <p>Your profile is complete. Your projects open in a moment, with a tutorial to start from.</p>
      <Link to={paths.projects} replace className={buttonClass()}>
        Go to Projects
      </Link>
    </WelcomeCompletion>
  );
}

const Waiting = ({ onElapsed }: { readonly onElapsed: () => void }) => (
  <WelcomeCompletion title="Almost there" onElapsed={onElapsed}>
    <p>Your profile is being completed.</p>
  </WelcomeCompletion>
);

/** The first page of a new user, until their profile is complete. */
function Welcome({ user }: { readonly user: SelfView }) {
  const cache = useQueryClient();
  const { retry } = useSession();
  const [isAccepted, setAccepted] = useState(false);
  const accept = (updated: SelfView) => {
    setAccepted(true);
    cacheSelf(cache, updated);
  };
  const stage = welcomeStage(user.profileCompletion);
  if (isAccepted) return <Accepted user={user} />;
  if (stage === 'done') return <Navigate to={paths.projects} replace />;
  if (stage === 'completing') return <Waiting onElapsed={retry} />;
  return (
    <>
      <InactivitySignOut />
      <main className="welcome">
        <div className="lead">
          <h1 className="wide">Put a face to the notes</h1>
          <p>Your picture sits on the timeline next to what you say. The others should know it is you.</p>
        </div>
        <WelcomeForm user={user} onAccepted={accept} onCompletedElsewhere={retry} />
      </main>
    </>
  );
}

export function WelcomePage() {
  usePageTitle('Welcome | Roughmix beta');
  const { user } = useSession();
  if (user === null) return null;
  return (
    <div className="welcome-page">
      <header>
        <Logo />
        <SignOut />
      </header>
      <Welcome user={user} />
    </div>
  );
}
