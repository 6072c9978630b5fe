import type { CurrentUsers, Push } from '@roughmix/contracts/live.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import type { LiveSocket } from './connection';
import type { LiveHandlers } from './handlers';
import type { Room } from './room';
import type { HereByProject, LiveState, Store } from './stores';

/** What the live connection of a tab consists of. */
export interface Parts {
  readonly cache: QueryClient;
  readonly state: Store<LiveState>;
  readonly here: Store<HereByProject>;
  readonly rooms: Map<Id, Room>;
  readonly listeners: Set<LiveHandlers>;
  readonly isNew: (push: Push) => boolean;
  socket: LiveSocket | null;
  /** The log that every position known here belongs to, once the server named it. */
  log: string | null;
  readonly reloadPage: () => void;
}

export function setHere(parts: Parts, projectId: Id, users: CurrentUsers['users'] | null): void {
  const next = new Map(parts.here.get());
  if (users === null) next.delete(projectId);
  else next.set(projectId, users);
  parts.here.set(next);
}
