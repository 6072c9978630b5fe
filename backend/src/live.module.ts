import { Module } from '@nestjs/common';
import { CommentsModule } from './comments/comments.module.js';
import { CommentsPushes } from './comments/comments.pushes.js';
import { AccessSnapshots } from './platform/live/access-snapshot.js';
import { CatchUp } from './platform/live/catch-up.js';
import { Handshake } from './platform/live/handshake.js';
import { LiveFeed } from './platform/live/live-feed.js';
import { PEOPLE_HERE, PUSH_SOURCES, type PushSource } from './platform/live/live-message.js';
import { LiveReads } from './platform/live/live-reads.js';
import { LiveGateway } from './platform/live/live.gateway.js';
import { type PeopleHere, Presence } from './platform/live/presence.js';
import { PresenceElsewhere } from './platform/live/presence-elsewhere.js';
import { PushDispatcher } from './platform/live/push-dispatcher.js';
import { Rooms } from './platform/live/rooms.js';
import { SocketWatch } from './platform/live/socket-watch.js';
import { JOIN_MESSAGES, TOPIC_KINDS, type TopicKind, Topics } from './platform/live/topics.js';
import { userTopicKind } from './platform/live/user-topic.js';
import type { Config } from './platform/config/config.js';
import type { ProjectionLog } from './platform/projections/projection-runner.js';
import { CONFIG, LOG, VAULT } from './platform/tokens.js';
import type { Vault } from './platform/vault/vault.js';
import { ProjectAccessQueries } from './projects/project-access.queries.js';
import { ProjectsModule } from './projects/projects.module.js';
import { ProjectsPushes } from './projects/projects.pushes.js';
import { inProject, projectTopicKinds } from './projects/projects.topics.js';
import { ProjectUserStreams } from './projects/project-user-streams.queries.js';
import { RegionsModule } from './regions/regions.module.js';
import { RegionsPushes } from './regions/regions.pushes.js';
import { UsersQueries } from './users/users.queries.js';
import { VersionsModule } from './versions/versions.module.js';
import { VersionsPushes } from './versions/versions.pushes.js';

/** One line per kind; a kind that slices feed together, as `user`, lists their parts. */
const topicKinds = (access: ProjectAccessQueries, projectsOfUser: ProjectUserStreams): readonly TopicKind[] => [
  ...projectTopicKinds(access),
  userTopicKind([projectsOfUser]),
];

const peopleHere =
  (users: UsersQueries): PeopleHere =>
  async (uids) =>
    uids.map(await users.people(uids));

/** Only a vault on a server is shared with other processes. */
const presenceElsewhere = ({ MONGO_URL }: Config, vault: Vault, log: ProjectionLog): PresenceElsewhere =>
  new PresenceElsewhere(MONGO_URL === null ? null : vault, log);

/** The socket, with the topics and the push sources of the slices: projects before their parts, so that removed people are out before anything else is sent. */
@Module({
  imports: [ProjectsModule, VersionsModule, RegionsModule, CommentsModule],
  providers: [
    {
      provide: PUSH_SOURCES,
      useFactory: (...sources: PushSource[]) => sources,
      inject: [ProjectsPushes, VersionsPushes, CommentsPushes, RegionsPushes],
    },
    ProjectUserStreams,
    { provide: TOPIC_KINDS, useFactory: topicKinds, inject: [ProjectAccessQueries, ProjectUserStreams] },
    { provide: JOIN_MESSAGES, useValue: [inProject] },
    Topics,
    LiveReads,
    { provide: PEOPLE_HERE, useFactory: peopleHere, inject: [UsersQueries] },
    { provide: PresenceElsewhere, useFactory: presenceElsewhere, inject: [CONFIG, VAULT, LOG] },
    LiveFeed,
    Handshake,
    AccessSnapshots,
    Presence,
    CatchUp,
    Rooms,
    SocketWatch,
    PushDispatcher,
    LiveGateway,
  ],
})
export class LiveModule {}
