import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PlayerProvider } from '../features/player/player-provider';
import { createLive } from '../shared/live/live';
import { LiveProvider } from '../shared/live/live-provider';
import { useSession } from '../shared/session/session-provider';
import { UploadsProvider } from '../shared/uploads/uploads-provider';
import { WritingProvider } from '../shared/writing/writing-provider';
import { ForSignedIn, isNewcomer } from './guards';
import { useGivenLive } from './providers';

/**
 * What only pages for signed-in users need: drafts and outboxes, the live connection, the player, uploads. Loaded with the first of these pages.
 * It surrounds the guard, so that a sign-out still reaches it.
 */
export function SignedInArea() {
  const cache = useQueryClient();
  const given = useGivenLive();
  const { user } = useSession();
  const [live] = useState(() => given ?? createLive(cache));
  // On the way to the welcome page: a connection would be closed before it is open.
  if (user !== null && isNewcomer(user)) return <ForSignedIn />;
  return (
    <WritingProvider>
      <LiveProvider live={live}>
        <PlayerProvider>
          <UploadsProvider>
            <ForSignedIn />
          </UploadsProvider>
        </PlayerProvider>
      </LiveProvider>
    </WritingProvider>
  );
}
