import { Inject, Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import type { ProjectionLog } from '../projections/projection-runner.js';
import { LOG } from '../tokens.js';
import { Audience } from './audience.js';
import type { Connections, LiveServer } from './connections.js';
import { memberRoom, PEOPLE_HERE } from './live-message.js';

/** Views of people for who is here now. */
export type PeopleHere = (uids: readonly Uid[]) => Promise<readonly PersonView[]>;

/** Who is looking at a project now. Said one after the other for each project, so that an older list never comes last; a crowd that comes at once is said once. */
@Injectable()
export class Presence {
  private readonly waiting = new Map<Id, Promise<void>>();
  private readonly saying = new Map<Id, Promise<void>>();

  constructor(
    @Inject(PEOPLE_HERE) private readonly people: PeopleHere,
    @Inject(LOG) private readonly log: ProjectionLog,
    private readonly audience: Audience,
  ) {}

  async usersIn(connections: Connections, projectId: Id): Promise<readonly PersonView[]> {
    return this.people(connections.hereIn(projectId));
  }

  /** Tells the members who is here now; resolves when a list made after this call has gone out, or failed and was logged. */
  announce(server: LiveServer, connections: Connections, projectId: Id): Promise<void> {
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
