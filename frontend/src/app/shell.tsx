import { fullName, type SelfView, usernameSlug } from '@roughmix/contracts/users/user.view.js';
import { Bell, ChevronDown, LogOut, Mail, Settings } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, matchPath, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { NotificationsMenu, useNotifications } from '../features/notifications/notifications-menu';
import { PopIns } from '../features/notifications/pop-ins';
import { usePushUpkeep } from '../features/push/use-push-upkeep';
import { UploadList } from '../features/uploads/upload-list';
import { errorMessage } from '../shared/api/api-errors';
import { registerServiceWorker } from '../shared/register-service-worker';
import { useSession } from '../shared/session/session-provider';
import { chosenTheme, chooseTheme, type Theme } from '../shared/theme';
import { Avatar } from '../shared/ui/avatar';
import { Icon } from '../shared/ui/icon';
import { Logo } from '../shared/ui/logo';
import { Menu, type MenuEntry } from '../shared/ui/menu';
import { preloadSurfaces } from '../shared/ui/surfaces';
import { useToast } from '../shared/ui/toast-queue';
import { ConnectionBanner } from './connection-banner';
import { PATTERNS, paths } from './paths';
import { NowPlaying } from './now-playing';
import { ProjectsLive } from './projects-live';
import { useOpenSettings, WithSettings } from './settings';
import './shell.css';
import { useLostProject } from './use-lost-project';
import { usePushedLinks } from './use-pushed-links';
import { VisitorShell } from './visitor-shell';

const AFTER_FIRST_PAINT_MS = 1_000;
/** Late enough that it competes with nothing that is shown or heard first. */
const KEEP_SHELL_MS = 4_000;

const THEMES: readonly { readonly id: Theme; readonly label: string }[] = [
  { id: 'system', label: 'System' },
  { id: 'dark', label: 'Dark' },
  { id: 'light', label: 'Light' },
];

function useThemeEntry(): MenuEntry {
  const [theme, setTheme] = useState(chosenTheme);
  const onChange = ([id]: readonly string[]) => {
    const next = THEMES.find((one) => one.id === id)?.id ?? 'system';
    chooseTheme(next);
    setTheme(next);
  };
  return { id: 'theme', label: 'Light and dark', mode: 'one', options: THEMES, chosen: [theme], onChange };
}

/** Who is signed in, above the menu's entries. */
const Person = ({ user }: { readonly user: SelfView }) => (
  <span className="flex">
    <Avatar name={fullName(user)} photo={user.smallPhoto} size={32} isDecorative />
    <span className="grow">
      <b className="cut">{fullName(user)}</b>
      <span className="meta cut">@{usernameSlug(user.username)}</span>
    </span>
  </span>
);

interface AccountMenuProps {
  readonly user: SelfView;
  readonly notifications: { readonly unread: number; readonly isEmpty: boolean; readonly open: () => void };
}

function AccountMenu({ user, notifications }: AccountMenuProps) {
  const { signOut } = useSession();
  const openSettings = useOpenSettings();
  const navigate = useNavigate();
  const theme = useThemeEntry();
  const toaster = useToast();
  const leave = () => void signOut().catch((error: unknown) => toaster.show({ kind: 'failed', message: errorMessage(error) }));
  const news: MenuEntry = {
    id: 'notifications',
    label: `Notifications (${notifications.unread})`,
    icon: Bell,
    isEmpty: notifications.isEmpty,
    onSelect: notifications.open,
  };
  const entries: readonly MenuEntry[] = [
    ...(user.isGuest ? [] : [news]),
    { id: 'settings', label: 'Settings', icon: Settings, isEmpty: user.isGuest, onSelect: () => openSettings('profile') },
    { id: 'contact', label: 'Contact', icon: Mail, onSelect: () => void navigate(paths.contact) },
    'line',
    theme,
    'line',
    { id: 'out', label: 'Sign Out', icon: LogOut, onSelect: leave },
  ];
  return (
    <Menu
      label="Account"
      head={<Person user={user} />}
      entries={entries}
      trigger={({ onPress, ...trigger }) => (
        <button type="button" className="me" aria-label={`Account menu of ${fullName(user)}`} onClick={onPress} {...trigger}>
          <Avatar name={fullName(user)} photo={user.smallPhoto} size={28} isDecorative />
          <span className="only-l cut">{fullName(user)}</span>
          <Icon of={ChevronDown} size={14} />
        </button>
      )}
    />
  );
}

/** The bell and the account menu, which both open the notifications. The guest has none. */
function HeaderMenus({ user }: { readonly user: SelfView }) {
  const [isOpen, setOpen] = useState(false);
  const { unread, isEmpty } = useNotifications(user.uid);
  const lose = useLostProject();
  return (
    <>
      {!user.isGuest && <NotificationsMenu uid={user.uid} unread={unread} isOpen={isOpen} onOpenChange={setOpen} onLeft={lose} />}
      <AccountMenu user={user} notifications={{ unread, isEmpty, open: () => setOpen(true) }} />
    </>
  );
}

/** The pages that the header leads to, each with the pages below it. */
const LINKS = [
  { to: paths.home, label: 'Home', patterns: [PATTERNS.home] },
  { to: paths.projects, label: 'Projects', patterns: [PATTERNS.projects, PATTERNS.project, PATTERNS.sharedProject] },
] as const;

/** The frame of every page behind the login, and of profiles, which visitors see too. */
export function Shell() {
  const { user } = useSession();
  return user === null ? <VisitorShell /> : <SignedInShell user={user} />;
}

function SignedInShell({ user }: { readonly user: SelfView }) {
  const { pathname } = useLocation();
  usePushedLinks();
  usePushUpkeep(user);
  const viewedProject = (matchPath(PATTERNS.project, pathname) ?? matchPath(PATTERNS.sharedProject, pathname))?.params.projectId ?? null;
  useEffect(() => {
    // A surface that failed to preload is fetched again, and its failure reported, when it is opened.
    const timer = setTimeout(() => void preloadSurfaces().catch(() => undefined), AFTER_FIRST_PAINT_MS);
    // Without it the page works too, online.
    const keeping = setTimeout(() => void registerServiceWorker().catch(() => undefined), KEEP_SHELL_MS);
    return () => {
      clearTimeout(timer);
      clearTimeout(keeping);
    };
  }, []);
  return (
    <WithSettings user={user}>
      <header className="top">
        <Link to={paths.projects}>
          <Logo />
        </Link>
        <nav aria-label="Main">
          {LINKS.map(({ to, label, patterns }) => {
            const isHere = patterns.some((pattern) => matchPath(pattern, pathname) !== null);
            return (
              <Link key={to} to={to} className={isHere ? 'on' : undefined} aria-current={isHere ? 'page' : undefined}>
                {label}
              </Link>
            );
          })}
        </nav>
        <span className="grow" />
        <HeaderMenus user={user} />
      </header>
      <ConnectionBanner />
      <UploadList />
      <ProjectsLive />
      <Outlet />
      <NowPlaying />
      {!user.isGuest && <PopIns uid={user.uid} viewedProject={viewedProject} />}
    </WithSettings>
  );
}
