import { createBrowserRouter, Navigate, type RouteObject } from 'react-router-dom';
import { ForAnybody } from './guards';
import { PATTERNS, paths } from './paths';
import { loadLogin, loadProject, loadProjects, loadShell, loadSignedInArea } from './pages';
import { PageFailed } from './page-failed';
import { PageLoading } from './page-loading';
import { Root } from './root';

const signedInPages: RouteObject[] = [
  { path: PATTERNS.projects, lazy: loadProjects },
  { path: PATTERNS.project, lazy: loadProject },
  { path: PATTERNS.sharedProject, lazy: loadProject },
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
      { element: <ForAnybody />, children: [{ path: PATTERNS.login, lazy: loadLogin }] },
      { path: '*', element: <Navigate to={paths.login} replace /> },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
