import { createBrowserRouter, type RouteObject } from 'react-router-dom';
import { AfterSession, ForAnybody, ForNewcomers } from './guards';
import { PATTERNS } from './paths';
import {
  loadContact,
  loadHome,
  loadInvite,
  loadLanding,
  loadLogin,
  loadPrivacy,
  loadProfile,
  loadProject,
  loadProjects,
  loadProjectsTerms,
  loadRegister,
  loadReset,
  loadResetLink,
  loadShell,
  loadSignedInArea,
  loadTerms,
  loadUnsubscribe,
  loadWelcome,
} from './pages';
import { PageFailed } from './page-failed';
import { PageLoading } from './page-loading';
import { Root } from './root';
import { UnknownAddress } from './visits';

const signedInPages: RouteObject[] = [
  { path: PATTERNS.home, lazy: loadHome },
  { path: PATTERNS.projects, lazy: loadProjects },
  { path: PATTERNS.project, lazy: loadProject },
  { path: PATTERNS.sharedProject, lazy: loadProject },
  // Open to visitors too; unknown paths of one segment have the same form, and lead to the login.
  { path: PATTERNS.handle, lazy: loadProfile },
];

/** For visitors: signed-in users go on to their projects. */
const publicPages: RouteObject[] = [
  { path: PATTERNS.landing, lazy: loadLanding },
  { path: PATTERNS.login, lazy: loadLogin },
  { path: PATTERNS.passwordReset, lazy: loadReset },
];

/** For everyone: a link from an e-mail, or the secret key, is valid in any session. */
const linkedPages: RouteObject[] = [
  { path: PATTERNS.register, lazy: loadRegister },
  { path: PATTERNS.resetWith, lazy: loadResetLink },
  { path: PATTERNS.invite, lazy: loadInvite },
  { path: PATTERNS.unsubscribe, lazy: loadUnsubscribe },
];

/** For everyone, signed in or not: the legal pages lead to the contact form. */
const openPages: RouteObject[] = [
  { path: PATTERNS.contact, lazy: loadContact },
  { path: PATTERNS.privacy, lazy: loadPrivacy },
  { path: PATTERNS.terms, lazy: loadTerms },
  { path: PATTERNS.projectsTerms, lazy: loadProjectsTerms },
];

/** Every page, each loaded on first use. Unknown paths lead to the login, or to the projects. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <PageFailed />,
    hydrateFallbackElement: <PageLoading />,
    children: [
      {
        lazy: loadSignedInArea,
        children: [{ lazy: loadShell, children: signedInPages.map((page) => ({ ...page, errorElement: <PageFailed /> })) }],
      },
      { element: <ForNewcomers />, children: [{ path: PATTERNS.welcome, lazy: loadWelcome, errorElement: <PageFailed /> }] },
      { element: <ForAnybody />, children: publicPages },
      { element: <AfterSession />, children: linkedPages },
      ...openPages,
      { path: '*', element: <UnknownAddress /> },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);

/** Resolves once the code of the router's first page is loaded, or has failed to load. */
export const whenLoaded = (router: ReturnType<typeof createBrowserRouter>): Promise<void> =>
  new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
