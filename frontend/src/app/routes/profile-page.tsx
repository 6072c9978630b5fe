import { slugIn } from '@roughmix/contracts/profiles/profile.paths.js';
import type { ProfileProject } from '@roughmix/contracts/profiles/profile.view.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName, usernameSlug } from '@roughmix/contracts/users/user.view.js';
import { useQuery } from '@tanstack/react-query';
import { UserRoundPen } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import { LoginBar } from '../../features/profiles/login-bar';
import { ProfileSkeleton } from '../../features/profiles/profile-skeleton';
import { Profile } from '../../features/profiles/profile-view';
import { profileAt } from '../../features/profiles/profiles.queries';
import { errorMessage, isProblem } from '../../shared/api/api-errors';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import { GuestNote } from '../../shared/session/guest-note';
import { useSession } from '../../shared/session/session-provider';
import { Button } from '../../shared/ui/button';
import { buttonClass } from '../../shared/ui/button-class';
import { ErrorState } from '../../shared/ui/error-state';
import '../page-state.css';
import { isProfile, paths } from '../paths';
import { useOpenSettings } from '../settings';

function EditProfile() {
  const openSettings = useOpenSettings();
  return (
    <Button variant="outline" icon={UserRoundPen} onPress={() => openSettings('profile')}>
      Edit Profile
    </Button>
  );
}

const State = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <main className="page-state">
    <h1 className="wide h-page">{title}</h1>
    {children}
  </main>
);

function NoProfile() {
  const { user } = useSession();
  return (
    <State title="No such profile">
      <p>This address may be misspelled, or the account was removed.</p>
      <Link className={buttonClass()} to={user === null ? paths.landing : paths.projects}>
        {user === null ? 'About Roughmix' : 'Projects'}
      </Link>
    </State>
  );
}

/** A former username leads to the current one. */
function useCurrentSlug(href: string, username: string | undefined): void {
  const navigate = useNavigate();
  const slug = slugIn(href);
  const current = username === undefined ? null : usernameSlug(username);
  useEffect(() => {
    if (slug !== null && current !== null && slug.toLowerCase() !== current) void navigate(`/@${current}`, { replace: true });
  }, [slug, current, navigate]);
}

/** A profile with its loading and error states. @param href the page's path, as the API expects it */
function ProfileScreen({ href }: { readonly href: string }) {
  const { user } = useSession();
  const { data, error, isFetching, refetch } = useQuery(profileAt(href, user?.uid ?? null));
  const person = data?.user;
  const name = person === undefined ? null : fullName(person);
  usePageTitle(name === null ? 'Roughmix Studio beta' : `${isolated(name)} | Roughmix beta`);
  useCurrentSlug(href, person?.username);
  if (isProblem(error, 'user.not-found')) return <NoProfile />;
  const hrefOf = (project: ProfileProject): string => paths.project(project, user?.uid ?? '');
  return (
    <>
      {user === null && <LoginBar name={person?.firstName || (name ?? 'people')} />}
      {data === undefined && error === null && <ProfileSkeleton />}
      {data === undefined && error !== null && (
        <main className="page-state">
          <ErrorState onRetry={() => void refetch()} isPending={isFetching}>
            {errorMessage(error)}
          </ErrorState>
        </main>
      )}
      {data !== undefined && <Profile data={data} hrefOf={hrefOf} ownActions={user !== null && <EditProfile />} />}
    </>
  );
}

/** A person's public page, /@slug. The router's pattern also matches unknown paths, which lead to the login. */
export function ProfilePage() {
  const { pathname } = useLocation();
  return isProfile(pathname) ? <ProfileScreen key={pathname} href={pathname.replace(/\/$/, '')} /> : <Navigate to={paths.login} replace />;
}

/** The user's own page. The guest has none. */
export function HomePage() {
  const { user } = useSession();
  if (user?.isGuest !== true) return <ProfileScreen href={paths.home} />;
  return (
    <State title="Home">
      <GuestNote />
      <Link className={buttonClass()} to={paths.projects}>
        Projects
      </Link>
    </State>
  );
}
