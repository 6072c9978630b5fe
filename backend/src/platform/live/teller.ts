import { Injectable } from '@nestjs/common';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { idInStream } from '../../kernel/stream-name.js';
import { Audience } from './audience.js';
import type { Connections, LiveServer } from './connections.js';
import type { FeedListener } from './live-feed.js';
import type { LiveStep } from './live-message.js';
import { Presence } from './presence.js';
import { ProjectRooms } from './project-rooms.js';
import { endSocket } from './wire.js';

interface Ends {
  readonly server: LiveServer;
  readonly connections: Connections;
}

/** Tells the sockets of this process what the feed hands on. */
@Injectable()
export class Teller {
  constructor(
    private readonly audience: Audience,
    private readonly rooms: ProjectRooms,
    private readonly presence: Presence,
  ) {}

  listener(server: LiveServer, connections: Connections): FeedListener {
    const ends = { server, connections };
    return {
      isHeard: () => connections.values().length > 0,
      take: (event, steps) => this.take(ends, idInStream(event), steps),
      fail: (event) => this.callBack(ends, idInStream(event)),
    };
  }

  /** One event's steps go out together: nothing is awaited between asking who may hear them and the last of them. */
  private async take({ server, connections }: Ends, projectId: Id, steps: readonly LiveStep[]): Promise<void> {
    if (steps.length === 0) return;
    const standing = await this.audience.of(projectId);
    const moved = steps.flatMap((step) => {
      if (step.kind !== 'emit') return this.rooms.move(connections, step);
      standing.send(server, step);
      return [];
    });
    for (const each of new Set(moved)) void this.presence.announce(server, connections, each);
  }

  /** Closes the sockets that should have heard something: their pages come back and are told what they missed. */
  private callBack({ connections }: Ends, projectId: Id): void {
    for (const socket of connections.values()) if (socket.data.joined.has(projectId)) endSocket(socket);
  }
}
