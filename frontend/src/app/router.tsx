import { createBrowserRouter, Navigate, type RouteObject } from 'react-router-dom';
import { AfterSession, ForAnybody } from './guards';
import { PATTERNS, paths } from './paths';
import { loadContact, loadInvite, loadLogin, loadProject, loadProjects, loadRegister, loadReset, loadResetLink, loadShell, loadSignedInArea } from './pages';
import { PageFailed } from './page-failed';
import { PageLoading } from './page-loading';
import { Root } from './root';

const signedInPages: RouteObject[] = [
  { path: PATTERNS.projects, lazy: loadProjects },
  { path: PATTERNS.project, lazy: loadProject },
  { path: PATTERNS.sharedProject, lazy: loadProject },
];

/** For visitors: signed-in users go on to their projects. */
const publicPages: RouteObject[] = [
  { path: PATTERNS.login, lazy: loadLogin },
  { path: PATTERNS.passwordReset, lazy: loadReset },
  { path: PATTERNS.contact, lazy: loadContact },
];

/** For everyone: a link from an e-mail, or the secret key, is good whoever is signed in. */
const linkedPages: RouteObject[] = [
  { path: PATTERNS.register, lazy: loadRegister },
  { path: PATTERNS.resetWith, lazy: loadResetLink },
  { path: PATTERNS.invite, lazy: loadInvite },
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
      { element: <ForAnybody />, children: publicPages },
      { element: <AfterSession />, children: linkedPages },
      { path: '*', element: <Navigate to={paths.login} replace /> },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
