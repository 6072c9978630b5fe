import type { ClientMessages } from '@roughmix/contracts/live.js';
import type { LiveServer } from '../live/connections.js';
import type { Metrics } from './metrics.js';

/** What clients may send: other names are theirs, and many. */
const NAMES: readonly string[] = ['login', 'logout', 'in-project', 'left-project'] satisfies (keyof ClientMessages)[];

/** Counts what goes to and comes from every socket. */
export function measureLive(server: LiveServer, metrics: Metrics): void {
  server.on('connection', (socket) => {
    socket.onAnyOutgoing((channel: string) => metrics.pushes.inc({ channel }));
    socket.onAny((name: string) => metrics.messages.inc({ name: NAMES.includes(name) ? name : 'other' }));
  });
}

/** Rooms by the word before their id (`user`, `project`, `public`); a socket's own room is none. */
function roomsByKind(server: LiveServer): ReadonlyMap<string, number> {
  const { rooms, sids } = server.sockets.adapter;
  const kinds = new Map<string, number>();
  for (const room of rooms.keys()) {
    if (sids.has(room)) continue;
    const kind = room.slice(0, room.indexOf(':'));
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return kinds;
}

/** Reads how many sockets and rooms there are. */
export function collectLive(server: LiveServer, metrics: Metrics): void {
  metrics.sockets.set(server.sockets.sockets.size);
  metrics.rooms.reset();
  for (const [kind, count] of roomsByKind(server)) metrics.rooms.set({ kind }, count);
}
