import { Injectable } from '@nestjs/common';
import type { Topic } from '@roughmix/contracts/live.js';
import { AccessSnapshots } from './access-snapshot.js';
import type { Connections, LiveServer } from './connections.js';
import type { FeedListener } from './lane.js';
import { LiveReads } from './live-reads.js';
import { Presence } from './presence.js';
import { type BuiltStep, newestShown } from './push-builder.js';
import { Rooms } from './rooms.js';
import { roomOf } from './topics.js';
import { endSocket } from './wire.js';

/** Sends what the feed builds to the sockets of this process. */
@Injectable()
export class PushDispatcher {
  constructor(
    private readonly snapshots: AccessSnapshots,
    private readonly reads: LiveReads,
    private readonly rooms: Rooms,
    private readonly presence: Presence,
  ) {}

  listener(server: LiveServer, connections: Connections): FeedListener {
    const { rooms } = server.sockets.adapter;
    return {
      isAwake: () => connections.values().length > 0,
      isHeard: (topic) => rooms.has(roomOf(topic)),
      deliver: (steps) => this.deliver(server, connections, steps),
      fail: (topics) => reconnect(connections, topics),
    };
  }

  /** The steps of one event go out together: nothing is awaited between reading who may get them and the last of them. */
  private async deliver(server: LiveServer, connections: Connections, steps: readonly BuiltStep[]): Promise<void> {
    if (steps.length === 0) return;
    // The read models that decide access hold everything the views show, so no view is newer than a revocation that access has not seen.
    const snapshot = await this.reads.asOf(newestShown(steps), () => this.snapshots.for(steps));
    const moved = new Map<string, Topic>();
    for (const step of steps) {
      if (step.kind === 'built') snapshot.send(server, step);
      else for (const topic of this.rooms.move(connections, step)) moved.set(roomOf(topic), topic);
    }
    for (const topic of moved.values()) void this.presence.announce(server, connections, topic);
  }
}

/** Closes the sockets in some rooms that may have missed something: their pages reconnect and catch up. */
function reconnect(connections: Connections, topics: readonly Topic[]): void {
  const rooms = topics.map(roomOf);
  for (const socket of connections.values()) if (rooms.some((room) => socket.rooms.has(room))) endSocket(socket);
}
