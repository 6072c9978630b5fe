import { Inject, Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import type { ProjectionLog } from '../projections/projection-runner.js';
import { LOG } from '../tokens.js';
import { Audience } from './audience.js';
import type { Connections, LiveServer } from './connections.js';
import { memberRoom, PEOPLE_HERE } from './live-message.js';
import { PresenceElsewhere } from './presence-elsewhere.js';

/** Views of people for who is here now. */
export type PeopleHere = (uids: readonly Uid[]) => Promise<readonly PersonView[]>;

/** Who is looking at a project now, in this process and in others. Said one after the other for each project, so that an older list never comes last; a crowd that comes at once is said once. */
@Injectable()
export class Presence {
  private readonly waiting = new Map<Id, Promise<void>>();
  private readonly saying = new Map<Id, Promise<void>>();

  constructor(
    @Inject(PEOPLE_HERE) private readonly people: PeopleHere,
    @Inject(LOG) private readonly log: ProjectionLog,
    private readonly audience: Audience,
    private readonly elsewhere: PresenceElsewhere,
  ) {}

  /** Tells other processes who is here, and the sockets here who is in others. */
  start(server: LiveServer, connections: Connections): Promise<void> {
    return this.elsewhere.start({
      here: () => connections.here(),
      moved: (projectIds) => {
        for (const projectId of projectIds) if (isHeard(server, projectId)) void this.announce(server, connections, projectId);
      },
    });
  }

  stop(): Promise<void> {
    return this.elsewhere.stop();
  }

  async usersIn(connections: Connections, projectId: Id): Promise<readonly PersonView[]> {
    const here = connections.hereIn(projectId);
    const elsewhere = this.elsewhere.hereIn(projectId);
    if (elsewhere.length === 0) return this.people(here);
    // What other processes say may be a second old: whoever was removed since is not here.
    const standing = await this.audience.of(projectId);
    return this.people([...new Set([...here, ...elsewhere.filter((uid) => standing.roomFor(uid) === 'members')])]);
  }

  /** Tells the members who is here now; resolves when a list made after this call has gone out, or failed and was logged. */
  announce(server: LiveServer, connections: Connections, projectId: Id): Promise<void> {
    this.elsewhere.changed();
    const waiting = this.waiting.get(projectId);
    if (waiting !== undefined) return waiting;
    const before = this.saying.get(projectId) ?? Promise.resolve();
    const mine = before.then(async () => {
      this.waiting.delete(projectId);
      this.saying.set(projectId, mine);
      await this.say(server, connections, projectId);
      if (this.saying.get(projectId) === mine) this.saying.delete(projectId);
    });
    this.waiting.set(projectId, mine);
    return mine;
  }

  private async say(server: LiveServer, connections: Connections, projectId: Id): Promise<void> {
    try {
      const users = await this.usersIn(connections, projectId);
      const room = memberRoom(projectId);
      const lost = (await this.audience.of(projectId)).lostIn(server, room);
      server.to(room).except(lost).emit('currentUsers', { projectId, users });
    } catch (error) {
      this.log.error({ err: error, projectId }, 'who is here could not be said');
    }
  }
}

const isHeard = (server: LiveServer, projectId: Id): boolean => server.sockets.adapter.rooms.has(memberRoom(projectId));
