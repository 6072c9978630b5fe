import { randomUUID } from 'node:crypto';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { FieldClasses } from '@roughmix/contracts/shared/field-classes.js';
import type { StoredEvent } from '../kernel/event.js';
import { Sessions } from '../platform/auth/sessions.js';
import { AccessSnapshots } from '../platform/live/access-snapshot.js';
import { CatchUp } from '../platform/live/catch-up.js';
import { Handshake } from '../platform/live/handshake.js';
import { LiveFeed } from '../platform/live/live-feed.js';
import { LiveGateway } from '../platform/live/live.gateway.js';
import { PEOPLE_HERE, PUSH_SOURCES, type PushSource } from '../platform/live/live-message.js';
import { MessageBudgets } from '../platform/live/message-budget.js';
import { MESSAGE_SOURCES, MessageSources } from '../platform/live/message-sources.js';
import { LiveReads } from '../platform/live/live-reads.js';
import { Presence } from '../platform/live/presence.js';
import { PresenceElsewhere } from '../platform/live/presence-elsewhere.js';
import { PushDispatcher } from '../platform/live/push-dispatcher.js';
import { Rooms } from '../platform/live/rooms.js';
import { SocketDoor } from '../platform/live/socket-door.js';
import { SocketWatch } from '../platform/live/socket-watch.js';
import { type JoinMessage, TOPIC_SOURCES, type TopicKind, Topics } from '../platform/live/topics.js';
import { WebsocketOnlyAdapter } from '../platform/live/websocket-only.adapter.js';
import { FieldSealer } from '../platform/personal-data/field-sealer.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { SecurityLog } from '../platform/security/security-log.js';
import { OpenedEvents } from '../platform/streams/opened-events.js';
import { CLOCK, CONFIG, EVENT_STORE, LOG, VAULT } from '../platform/tokens.js';
import { silentSecurityLog } from './silent-security-log.js';
import { freePort } from './free-port.js';
import { type TestStores, openTestStores } from './test-stores.js';
import { TestClient } from './test-client.js';
import { socketOf, type TestSocket } from './test-socket.js';

/** The topics, messages and push sources that a spec registers. */
export interface LiveTestServerOptions {
  readonly classes: Readonly<Record<string, FieldClasses>>;
  readonly kinds: (stores: TestStores) => readonly TopicKind[];
  readonly messages: readonly JoinMessage[];
  readonly sources: readonly PushSource[];
}

/** The socket on real stores, with topics and push sources of a spec instead of the slices'. */
export interface LiveTestServer extends TestStores {
  /** A socket of a person's new session. */
  socket(uid: string): Promise<TestSocket>;
  /** The number of sockets that the server has open. */
  open(): number;
  /** Appends one event, which read models hold at once. @returns its position */
  happen(stream: string, type: string, data: object, actorUid?: string): Promise<number>;
}

/** The part of the socket server that belongs to no slice. */
const LIVE = [
  MessageSources,
  LiveGateway,
  SocketDoor,
  Handshake,
  SocketWatch,
  LiveFeed,
  LiveReads,
  Topics,
  AccessSnapshots,
  CatchUp,
  Rooms,
  Presence,
  PushDispatcher,
  Sessions,
];

export async function openLiveTestServer({ classes, kinds, messages, sources }: LiveTestServerOptions): Promise<LiveTestServer> {
  const stores = await openTestStores();
  const readSide = new ReadSide();
  const port = await freePort();
  const built = await Test.createTestingModule({
    providers: [
      ...LIVE,
      { provide: EVENT_STORE, useValue: stores.store },
      { provide: VAULT, useValue: stores.vault },
      { provide: SecurityLog, useValue: silentSecurityLog() },
      { provide: LOG, useValue: stores.log },
      { provide: CLOCK, useValue: () => stores.time.now },
      { provide: MessageBudgets, useValue: new MessageBudgets(() => stores.time.now) },
      { provide: CONFIG, useValue: { PORT: Number(port), PUBLIC_URL: null, MONGO_URL: null, TRUST_PROXY: null } },
      { provide: ReadModels, useValue: stores.reads },
      { provide: ReadSide, useValue: readSide },
      { provide: OpenedEvents, useValue: new OpenedEvents(new FieldSealer(new Map(Object.entries(classes)), stores.dataKeys), []) },
      { provide: PresenceElsewhere, useValue: new PresenceElsewhere(null, stores.log) },
      { provide: PEOPLE_HERE, useValue: (uids: readonly string[]) => Promise.resolve(uids.map((uid) => ({ uid }))) },
      { provide: TOPIC_SOURCES, useValue: [{ kinds: kinds(stores), joins: messages }] },
      { provide: PUSH_SOURCES, useValue: sources },
      { provide: MESSAGE_SOURCES, useValue: [] },
    ],
  }).compile();
  const app = built.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
  app.useWebSocketAdapter(new WebsocketOnlyAdapter(app));
  const sessions = app.get(Sessions);
  await sessions.declare();
  await app.init();
  const gateway = app.get(LiveGateway);
  await gateway.start(gateway.server);
  await app.listen(port, '127.0.0.1');
  const sockets: TestSocket[] = [];
  return {
    ...stores,
    async socket(uid) {
      const { token } = await sessions.start(uid, false);
      const socket = await socketOf(new TestClient(`http://127.0.0.1:${port}`, token));
      sockets.push(socket);
      return socket;
    },
    open: () => gateway.server.sockets.sockets.size,
    async happen(stream, type, data, actorUid = 'ana') {
      const meta = { actorUid, at: stores.time.now, commandId: randomUUID(), correlationId: 'c', causationId: null };
      const { position } = await append(stores, stream, { id: randomUUID(), type, data, meta });
      readSide.serve(position);
      return position;
    },
    async close() {
      for (const socket of sockets) socket.close();
      await app.close();
      await stores.close();
    },
  };
}

/** Appends at the end of the stream. */
async function append(
  { store }: TestStores,
  stream: string,
  event: Pick<StoredEvent, 'id' | 'type' | 'data' | 'meta'>,
): Promise<{ readonly position: number }> {
  const { length } = await store.readStream(stream);
  return store.append(stream, length === 0 ? 'none' : length - 1, [event]);
}
