import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { Live } from '../shared/live/live';
import { Toasts } from '../shared/ui/toasts';
import { RemovalsProvider } from '../shared/removals/removals-provider';
import { SessionProvider } from '../shared/session/session-provider';

const GivenLive = createContext<Live | null>(null);

/** The live connection that a spec provides; null on the real page, which creates its own. */
export const useGivenLive = (): Live | null => useContext(GivenLive);

interface ProvidersProps {
  readonly cache: QueryClient;
  readonly live?: Live;
  readonly children: ReactNode;
}

/** What every page needs, public ones too: the cache, removals that can be undone, the session. */
export const Providers = ({ cache, live, children }: ProvidersProps) => (
  <QueryClientProvider client={cache}>
    <Toasts>
      <RemovalsProvider>
        <SessionProvider>
          <GivenLive value={live ?? null}>{children}</GivenLive>
        </SessionProvider>
      </RemovalsProvider>
    </Toasts>
  </QueryClientProvider>
);
