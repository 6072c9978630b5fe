import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { createQueryClient } from '../shared/api/query-client';
import '../shared/styles';
import { reloadForNewerPage } from './newer-page';
import { Prerendered } from './prerendered';
import { Providers } from './providers';
import { createRouter, whenLoaded } from './router';

/** Shows the page, or takes over its HTML if the server sent it. */
export function startPage(place: HTMLElement): void {
  reloadForNewerPage(window);
  const router = createRouter();
  const isPrerendered = place.hasChildNodes();
  const page = (
    <StrictMode>
      <Prerendered value={isPrerendered}>
        <Providers cache={createQueryClient()}>
          <RouterProvider router={router} />
        </Providers>
      </Prerendered>
    </StrictMode>
  );

  // The HTML of a public page is that of its loaded code.
  if (isPrerendered) void whenLoaded(router).then(() => hydrateRoot(place, page));
  else createRoot(place).render(page);
}
