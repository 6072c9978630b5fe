import type { LeaderReport } from '../event-store/eventstoredb-connections.js';
import type { Metrics } from './metrics.js';

/** Counts changes of EventStoreDB's leader, and measures how long there is none. */
export const measureLeader = (metrics: Metrics): LeaderReport => ({
  onNoLeader: () => void (metrics.leaderMissingSince ??= performance.now()),
  onLeader: ({ isAnother }) => {
    metrics.leaderMissingSince = null;
    if (isAnother) metrics.leaderChanges.inc();
  },
});
