import { CLIENT_MESSAGES } from '@roughmix/contracts/live.js';
import type { LiveServer } from '../live/connections.js';
import type { Metrics } from './metrics.js';

/** Other names are chosen by clients, so they count as `other`. */
const labelOf = (name: string): string => (Object.hasOwn(CLIENT_MESSAGES, name) ? name : 'other');

/** Counts the messages to and from every socket. */
export function measureLive(server: LiveServer, metrics: Metrics): void {
  server.on('connection', (socket) => {
    socket.onAnyOutgoing((channel: string) => metrics.pushes.inc({ channel }));
    socket.onAny((name: string) => metrics.messages.inc({ name: labelOf(name) }));
  });
}

/** How many rooms there are by the prefix of their name (`user`, `project`, `public`), without the sockets' own rooms. */
function roomCounts(server: LiveServer): ReadonlyMap<string, number> {
  const { rooms, sids } = server.sockets.adapter;
  const kinds = new Map<string, number>();
  for (const room of rooms.keys()) {
    if (sids.has(room)) continue;
    const kind = room.slice(0, room.indexOf(':'));
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return kinds;
}

/** Sets the gauges of sockets and rooms. */
export function collectLive(server: LiveServer, metrics: Metrics): void {
  metrics.sockets.set(server.sockets.sockets.size);
  metrics.rooms.reset();
  for (const [kind, count] of roomCounts(server)) metrics.rooms.set({ kind }, count);
}
