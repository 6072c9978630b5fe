import { Inject, Injectable } from '@nestjs/common';
import type { CurrentUsers, Topic } from '@roughmix/contracts/live.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import { LOG } from '../tokens.js';
import { AccessSnapshots } from './access-snapshot.js';
import { CONNECTED } from './connected-users.js';
import type { Connections, LiveServer } from './connections.js';
import { PEOPLE_HERE } from './live-message.js';
import { type Here, PresenceElsewhere } from './presence-elsewhere.js';
import { roomOf, Topics } from './topics.js';
import type { Logger } from '../logger.js';

/** The views of people for `currentUsers`. */
export type PeopleHere = (uids: readonly Uid[]) => Promise<readonly PersonView[]>;

/**
 * Who is present in a topic, in this process and in others. The lists of a topic are sent one after the other, so that an older list never arrives last;
 * changes that come while one is being made share the next.
 */
@Injectable()
export class Presence {
  private readonly waiting = new Map<string, Promise<void>>();
  private readonly sending = new Map<string, Promise<void>>();

  constructor(
    @Inject(PEOPLE_HERE) private readonly people: PeopleHere,
    @Inject(LOG) private readonly log: Logger,
    private readonly topics: Topics,
    private readonly snapshots: AccessSnapshots,
    private readonly elsewhere: PresenceElsewhere,
  ) {}

  /** Starts exchanging presence with other processes. */
  start(server: LiveServer, connections: Connections): Promise<void> {
    return this.elsewhere.start({
      here: () => hereIn(connections, (topic) => this.topics.hasPresence(topic)),
      moved: (rooms) => {
        const open = rooms.filter((room) => server.sockets.adapter.rooms.has(room));
        for (const room of open) void this.announce(server, connections, topicOf(room));
      },
    });
  }

  stop(): Promise<void> {
    return this.elsewhere.stop();
  }

  /** Who is listed in a topic; empty where its kind has no presence. */
  async usersIn(connections: Connections, topic: Topic): Promise<readonly PersonView[]> {
    if (!this.topics.hasPresence(topic)) return [];
    const here = connections.listedIn(roomOf(topic));
    const elsewhere = this.elsewhere.hereIn(roomOf(topic));
    if (elsewhere.length === 0) return this.people(here);
    // Records of other processes may be a second old: they may list people who were removed since.
    const snapshot = await this.snapshots.of([topic]);
    return this.people([...new Set([...here, ...elsewhere.filter((uid) => snapshot.mayHear(topic, uid))])]);
  }

  /** Sends `currentUsers` to a topic that has presence. Resolves when a list made after this call has been sent, or failed and was logged. */
  announce(server: LiveServer, connections: Connections, topic: Topic): Promise<void> {
    if (!this.topics.hasPresence(topic)) return Promise.resolve();
    this.elsewhere.changed();
    const room = roomOf(topic);
    const waiting = this.waiting.get(room);
    if (waiting !== undefined) return waiting;
    const before = this.sending.get(room) ?? Promise.resolve();
    const mine = before.then(async () => {
      this.waiting.delete(room);
      this.sending.set(room, mine);
      await this.send(server, connections, topic);
      if (this.sending.get(room) === mine) this.sending.delete(room);
    });
    this.waiting.set(room, mine);
    return mine;
  }

  private async send(server: LiveServer, connections: Connections, topic: Topic): Promise<void> {
    if (!server.sockets.adapter.rooms.has(roomOf(topic))) return;
    try {
      const users = await this.usersIn(connections, topic);
      const snapshot = await this.snapshots.of([topic]);
      const facts = this.topics.kindOf(topic).presence?.(topic.id);
      // The kind names itself by its own field; the list of fields per kind is in contracts.
      const current = { ...facts, users } as unknown as CurrentUsers;
      server.to(roomOf(topic)).except(snapshot.withoutAccess(server, topic)).emit('currentUsers', current);
    } catch (error) {
      this.log.error({ err: error, ...topic }, 'currentUsers could not be sent');
    }
  }
}

/** The topic of a room's name. */
const topicOf = (room: string): Topic => ({ kind: room.slice(0, room.indexOf(':')), id: room.slice(room.indexOf(':') + 1) });

/** Who is in the rooms that have presence, and who is connected at all. */
function hereIn(connections: Connections, hasPresence: (topic: Topic) => boolean): Here {
  const people = connections.people();
  return { ...connections.listed(hasPresence), ...(people.length === 0 ? {} : { [CONNECTED]: people }) };
}
