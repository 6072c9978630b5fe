import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PlayerProvider } from '../features/player/player-provider';
import type { Live } from '../shared/live/live';
import { LiveProvider } from '../shared/live/live-provider';
import { Toasts } from '../shared/ui/toasts';
import { RemovalsProvider } from '../shared/removals/removals-provider';
import { SessionProvider } from '../shared/session/session-provider';
import { WritingProvider } from '../shared/writing/writing-provider';

interface ProvidersProps {
  readonly cache: QueryClient;
  readonly live: Live;
  readonly children: ReactNode;
}

/** What every page needs: the cache, removals that can be undone, the session, drafts and outboxes, the live connection, the player. */
export const Providers = ({ cache, live, children }: ProvidersProps) => (
  <QueryClientProvider client={cache}>
    <Toasts>
      <RemovalsProvider>
        <SessionProvider>
          <WritingProvider>
            <LiveProvider live={live}>
              <PlayerProvider>{children}</PlayerProvider>
            </LiveProvider>
          </WritingProvider>
        </SessionProvider>
      </RemovalsProvider>
    </Toasts>
  </QueryClientProvider>
);
