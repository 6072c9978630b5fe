import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { createQueryClient } from '../shared/api/query-client';
import { Prerendered } from './prerendered';
import { Providers } from './providers';
import { routes, whenLoaded } from './router';

export { PUBLIC_PAGES } from './public-pages';

/** The HTML of a public page as a visitor sees it before the session is known. */
export async function renderPage(path: string): Promise<string> {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  await whenLoaded(router);
  return renderToString(
    <StrictMode>
      <Prerendered value>
        <Providers cache={createQueryClient()}>
          <RouterProvider router={router} />
        </Providers>
      </Prerendered>
    </StrictMode>,
  );
}
