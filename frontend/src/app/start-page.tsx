import { type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { createQueryClient } from '../shared/api/query-client';
import '../shared/styles';
import { Prerendered } from './prerendered';
import { Providers } from './providers';
import { createRouter, whenLoaded } from './router';

/** Says when its children answer to presses. */
function Answering({ onReady, children }: { readonly onReady: () => void; readonly children: ReactNode }) {
  useEffect(onReady, [onReady]);
  return children;
}

/** Shows the page, or takes over its HTML if the server sent it. Resolves once it answers to presses. */
export async function startPage(place: HTMLElement): Promise<void> {
  const router = createRouter();
  const isPrerendered = place.hasChildNodes();
  // The HTML of a public page is that of its loaded code.
  if (isPrerendered) await whenLoaded(router);
  await new Promise<void>((onReady) => {
    const page = (
      <StrictMode>
        <Prerendered value={isPrerendered}>
          <Providers cache={createQueryClient()}>
            <Answering onReady={onReady}>
              <RouterProvider router={router} />
            </Answering>
          </Providers>
        </Prerendered>
      </StrictMode>
    );
    if (isPrerendered) hydrateRoot(place, page);
    else createRoot(place).render(page);
  });
}
