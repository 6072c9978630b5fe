import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { errorMessage } from '../../shared/api/api-errors';
import { useSession } from '../../shared/session/session-provider';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { buttonClass } from '../../shared/ui/button-class';
import { useToast } from '../../shared/ui/toast-queue';
import { paths } from '../paths';

/** The pages that lead on are for visitors: who is signed in goes back to the projects, or signs out first. */
function SignedIn({ name }: { readonly name: string }) {
  const { signOut } = useSession();
  const toaster = useToast();
  return (
    <>
      <p className="soft">You are signed in as {isolated(name)}. Sign out to ask for another link.</p>
      <Link className={buttonClass({ variant: 'primary', size: 'l', isWide: true })} to={paths.projects}>
        Projects
      </Link>
      <Button
        variant="outline"
        size="l"
        isWide
        onPress={() => void signOut().catch((error: unknown) => toaster.show({ kind: 'failed', message: errorMessage(error) }))}
      >
        Sign Out
      </Button>
    </>
  );
}

/** A link from an e-mail no longer works; the children lead a visitor on. */
export function LinkSpent({ message, children }: { readonly message: string; readonly children: ReactNode }) {
  const { user } = useSession();
  return (
    <div className="stack">
      <Banner tone="bad">{message}</Banner>
      {user === null ? children : <SignedIn name={fullName(user)} />}
    </div>
  );
}
