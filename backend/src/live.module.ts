import { type DynamicModule, Module } from '@nestjs/common';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { isMember } from '@roughmix/contracts/projects/project.access.js';
import { Audience } from './platform/live/audience.js';
import { CatchUp } from './platform/live/catch-up.js';
import { Handshake } from './platform/live/handshake.js';
import { LiveFeed } from './platform/live/live-feed.js';
import { PEOPLE_HERE, PUSH_SOURCES, type PushSource, ROOM_ACCESS, type RoomAccess } from './platform/live/live-message.js';
import { LiveGateway } from './platform/live/live.gateway.js';
import { type PeopleHere, Presence } from './platform/live/presence.js';
import { PresenceElsewhere } from './platform/live/presence-elsewhere.js';
import { ProjectRooms } from './platform/live/project-rooms.js';
import { SocketWatch } from './platform/live/socket-watch.js';
import { Teller } from './platform/live/teller.js';
import type { Config } from './platform/config/config.js';
import type { ProjectionLog } from './platform/projections/projection-runner.js';
import type { LoadedSlice } from './platform/slice.js';
import { CONFIG, LOG, VAULT } from './platform/tokens.js';
import type { Vault } from './platform/vault/vault.js';
import { ProjectAccessQueries } from './projects/project-access.queries.js';
import { UsersQueries } from './users/users.queries.js';

const roomAccess = (access: ProjectAccessQueries): RoomAccess => ({
  async roomsOf(projectId) {
    const standing = await access.standings(projectId);
    return (uid) => {
      const who = standing(uid);
      return who === null ? null : isMember(who) ? 'members' : 'visitors';
    };
  },
  streamOf: projectStream,
});

const peopleHere =
  (users: UsersQueries): PeopleHere =>
  async (uids) =>
    uids.map(await users.people(uids));

/** Only a vault on a server has other processes beside this one. */
const presenceElsewhere = ({ MONGO_URL }: Config, vault: Vault, log: ProjectionLog): PresenceElsewhere =>
  new PresenceElsewhere(MONGO_URL === null ? null : vault, log);

/** The socket, with what the slices send on it, in the order of the slices. */
@Module({
  providers: [
    { provide: ROOM_ACCESS, useFactory: roomAccess, inject: [ProjectAccessQueries] },
    { provide: PEOPLE_HERE, useFactory: peopleHere, inject: [UsersQueries] },
    { provide: PresenceElsewhere, useFactory: presenceElsewhere, inject: [CONFIG, VAULT, LOG] },
    LiveFeed,
    Handshake,
    Audience,
    Presence,
    CatchUp,
    ProjectRooms,
    SocketWatch,
    Teller,
    LiveGateway,
  ],
})
export class LiveModule {
  static of(slices: readonly LoadedSlice[]): DynamicModule {
    const sending = slices.filter(({ pushes }) => pushes !== undefined);
    const inject = sending.flatMap(({ pushes = [] }) => [...pushes]);
    const sources = { provide: PUSH_SOURCES, useFactory: (...built: PushSource[]) => built, inject };
    return { module: LiveModule, imports: sending.map(({ module }) => module), providers: [sources] };
  }
}
