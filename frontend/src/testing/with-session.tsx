import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import type { SelfView, SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import { RemovalsProvider } from '../shared/removals/removals-provider';
import { SessionProvider } from '../shared/session/session-provider';
import { sessionQuery } from '../shared/session/session-query';
import { Toasts } from '../shared/ui/toasts';
import { UploadsProvider } from '../shared/uploads/uploads-provider';
import { WritingProvider } from '../shared/writing/writing-provider';
import './surfaces';

/**
 * Renders a part of the page for a signed-in user, or for a visitor; failed queries are not retried.
 * @param bringsRouter the part contains a router of its own
 */
export function renderFor(user: SelfView | null, part: ReactNode, { bringsRouter = false } = {}) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' }, mutations: { networkMode: 'always' } } });
  cache.setQueryData<SessionAnswer | null>(sessionQuery.queryKey, user && { user, staffRole: null });
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={cache}>
      <Toasts>
        <RemovalsProvider>
          <SessionProvider>
            <WritingProvider>
              <UploadsProvider>{bringsRouter ? children : <MemoryRouter>{children}</MemoryRouter>}</UploadsProvider>
            </WritingProvider>
          </SessionProvider>
        </RemovalsProvider>
      </Toasts>
    </QueryClientProvider>
  );
  return { cache, ...render(part, { wrapper }) };
}
