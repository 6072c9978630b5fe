import { type DynamicModule, Module } from '@nestjs/common';
import { AccessSnapshots } from './platform/live/access-snapshot.js';
import { CatchUp } from './platform/live/catch-up.js';
import { Handshake } from './platform/live/handshake.js';
import { LiveFeed } from './platform/live/live-feed.js';
import { PEOPLE_HERE, PUSH_SOURCES, type PushSource } from './platform/live/live-message.js';
import { LiveReads } from './platform/live/live-reads.js';
import { LiveGateway } from './platform/live/live.gateway.js';
import { MESSAGE_SOURCES, type MessageSource, MessageSources } from './platform/live/message-sources.js';
import { MessageBudgets } from './platform/live/message-budget.js';
import { type PeopleHere, Presence } from './platform/live/presence.js';
import { PushDispatcher } from './platform/live/push-dispatcher.js';
import { Rooms } from './platform/live/rooms.js';
import { SocketDoor } from './platform/live/socket-door.js';
import { SocketWatch } from './platform/live/socket-watch.js';
import { TOPIC_SOURCES, type TopicSource, Topics } from './platform/live/topics.js';
import { USER_STREAMS, type UserStreams, UserTopic } from './platform/live/user-topic.js';
import type { LoadedSlice } from './platform/slice.js';
import { UsersQueries } from './users/users.queries.js';

const peopleHere =
  (users: UsersQueries): PeopleHere =>
  async (uids) =>
    uids.map(await users.people(uids));

/** The socket, with the topics and the push sources of the slices, in the order of the slices. */
@Module({
  providers: [
    { provide: PEOPLE_HERE, useFactory: peopleHere, inject: [UsersQueries] },
    UserTopic,
    Topics,
    LiveReads,
    LiveFeed,
    SocketDoor,
    { provide: MessageBudgets, useFactory: () => new MessageBudgets(() => performance.now()) },
    Handshake,
    AccessSnapshots,
    Presence,
    CatchUp,
    Rooms,
    SocketWatch,
    PushDispatcher,
    MessageSources,
    LiveGateway,
  ],
})
export class LiveModule {
  static of(slices: readonly LoadedSlice[]): DynamicModule {
    const pushes = slices.flatMap((slice) => slice.pushes ?? []);
    const topics = slices.flatMap((slice) => slice.topics ?? []);
    const messages = slices.flatMap((slice) => slice.messages ?? []);
    const userStreams = slices.flatMap((slice) => slice.userStreams ?? []);
    return {
      module: LiveModule,
      imports: slices.map(({ module }) => module),
      providers: [
        { provide: PUSH_SOURCES, useFactory: (...sources: PushSource[]) => sources, inject: pushes },
        { provide: TOPIC_SOURCES, useFactory: (...sources: TopicSource[]) => sources, inject: [UserTopic, ...topics] },
        { provide: MESSAGE_SOURCES, useFactory: (...sources: MessageSource[]) => sources, inject: messages },
        { provide: USER_STREAMS, useFactory: (...sources: UserStreams[]) => sources, inject: userStreams },
      ],
    };
  }
}
