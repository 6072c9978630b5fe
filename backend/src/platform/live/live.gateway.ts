import { Inject, type OnApplicationShutdown } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  type OnGatewayInit,
  SubscribeMessage,
  WebSocketGateway,
  WebSocketServer,
} from '@nestjs/websockets';
import { Nothing } from '@roughmix/contracts/live.api.js';
import { type Ack, type InProjectAnswer, type LoginAnswer, type Topic, userTopic } from '@roughmix/contracts/live.js';
import { Refused } from '../../kernel/refusal.js';
import { parseBody } from '../http/body.js';
import { codeOf, problemOf } from '../http/problem.filter.js';
import { LOG } from '../tokens.js';
import { Connections, type LiveServer, type LiveSocket } from './connections.js';
import { Handshake } from './handshake.js';
import { LiveFeed } from './live-feed.js';
import { MessageSources } from './message-sources.js';
import { Presence } from './presence.js';
import { PushDispatcher } from './push-dispatcher.js';
import { Rooms } from './rooms.js';
import { SocketWatch } from './socket-watch.js';
import { roomOf } from './topics.js';
import { SocketClosed } from './wire.js';
import type { Logger } from '../logger.js';

/** The socket: who may connect, and the messages browsers may send. Every message is acknowledged, refused ones with their problem. */
@WebSocketGateway({ transports: ['websocket'], cors: false, serveClient: false, maxHttpBufferSize: 64 * 1024 })
export class LiveGateway implements OnGatewayInit<LiveServer>, OnGatewayConnection<LiveSocket>, OnGatewayDisconnect<LiveSocket>, OnApplicationShutdown {
  @WebSocketServer()
  readonly server: LiveServer;
  @Inject()
  private readonly messages: MessageSources;
  private readonly connections = new Connections();
  /** Resolves when the feed has started. Connections wait for it, because they would miss pushes. */
  private started: Promise<void> = Promise.resolve();

  constructor(
    private readonly handshake: Handshake,
    private readonly watch: SocketWatch,
    private readonly feed: LiveFeed,
    private readonly rooms: Rooms,
    private readonly presence: Presence,
    private readonly dispatcher: PushDispatcher,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Nest does not wait for this, and nobody would see it fail: what may fail is in {@link start}. */
  afterInit(server: LiveServer): void {
    const check = async (socket: LiveSocket, next: (error?: Error) => void): Promise<void> => next(await this.letIn(socket));
    server.use((socket, next) => void check(socket, next));
    this.watch.start(this.connections);
  }

  /** Begins to follow the log; to be called after Nest's start and before the server listens. @throws ServiceUnavailable when a store is away */
  start(server: LiveServer): Promise<void> {
    this.started = this.follow(server);
    return this.started;
  }

  async handleConnection(socket: LiveSocket): Promise<void> {
    this.connections.add(socket);
    socket.use(([, ...args], next) => {
      if (socket.data.budget.take()) return next();
      // Undefined names are not answered either; without a callback there is nothing to answer.
      const ack: unknown = args.at(-1);
      if (typeof ack === 'function') (ack as (answer: Ack) => void)({ ok: false, problem: problemOf('throttled') });
    });
    if (!socket.data.caller.isGuest) await socket.join(roomOf(userTopic(socket.data.caller.uid)));
  }

  async handleDisconnect(socket: LiveSocket): Promise<void> {
    this.connections.remove(socket);
    for (const topic of socket.data.joined?.values() ?? []) await this.announce(topic);
    this.messages.ended(socket.id);
  }

  @SubscribeMessage('login')
  login(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack<LoginAnswer>> {
    return this.acknowledged(socket, async () => {
      const answer = await this.rooms.login(socket, body);
      await this.list(socket, true);
      return answer;
    });
  }

  @SubscribeMessage('logout')
  logout(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack> {
    return this.acknowledged(socket, async () => {
      parseBody(Nothing, body);
      await this.list(socket, false);
      return {};
    });
  }

  @SubscribeMessage('in-project')
  inProject(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack<InProjectAnswer>> {
    return this.join('in-project', socket, body);
  }

  @SubscribeMessage('left-project')
  leftProject(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack> {
    return this.leave('left-project', socket, body);
  }

  @SubscribeMessage('in-group')
  inGroup(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack<InProjectAnswer>> {
    return this.join('in-group', socket, body);
  }

  @SubscribeMessage('left-group')
  leftGroup(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack> {
    return this.leave('left-group', socket, body);
  }

  // One method per message: of several decorators on a method Nest keeps the first.
  @SubscribeMessage('update-likes')
  updateLikes(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack> {
    return this.answered('update-likes', socket, body);
  }

  @SubscribeMessage('update-newUserNotif')
  updateNewUserNotif(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack> {
    return this.answered('update-newUserNotif', socket, body);
  }

  @SubscribeMessage('update-metrics')
  updateMetrics(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack> {
    return this.answered('update-metrics', socket, body);
  }

  /** Waits for a start that is still under way: it reads stores that are closed after this. */
  async onApplicationShutdown(): Promise<void> {
    await this.started.catch(() => undefined); // reported to the caller of start
    this.watch.stop();
    await this.presence.stop();
  }

  private async follow(server: LiveServer): Promise<void> {
    await this.presence.start(server, this.connections);
    await this.feed.start(this.dispatcher.listener(server, this.connections));
  }

  private async list(socket: LiveSocket, isListed: boolean): Promise<void> {
    if (socket.data.isListed === isListed) return;
    socket.data.isListed = isListed;
    for (const topic of socket.data.joined.values()) await this.announce(topic);
  }

  private announce(topic: Topic): Promise<void> {
    return this.presence.announce(this.server, this.connections, topic);
  }

  private join(name: string, socket: LiveSocket, body: unknown): Promise<Ack<InProjectAnswer>> {
    return this.acknowledged(socket, async () => {
      const { topic, ...answer } = await this.rooms.join(socket, name, body);
      await this.announce(topic);
      // Access may have been lost since: members are listed only to those still in the room.
      const isIn = socket.data.joined.has(roomOf(topic));
      return { ...answer, users: isIn ? await this.presence.usersIn(this.connections, topic) : [] };
    });
  }

  private leave(name: string, socket: LiveSocket, body: unknown): Promise<Ack> {
    return this.acknowledged(socket, async () => {
      for (const topic of await this.rooms.leave(socket, name, body)) await this.announce(topic);
      return {};
    });
  }

  private answered(name: string, socket: LiveSocket, body: unknown): Promise<Ack> {
    return this.acknowledged(socket, () => this.messages.answer(name, { caller: socket.data.caller, socketId: socket.id }, body));
  }

  /** Runs after the socket's earlier messages and answers with an ack. */
  private async acknowledged<Answer extends object>(socket: LiveSocket, work: () => Promise<Answer>): Promise<Ack<Answer>> {
    const mine = socket.data.turn.then(work);
    socket.data.turn = mine.catch(() => undefined); // reported by its own ack
    try {
      const answer = await mine;
      return { ok: true, position: this.feed.position, ...answer };
    } catch (error) {
      const code = codeOf(error);
      if (code !== null) this.handshake.refused(code, socket, socket.data.caller.uid);
      else if (!(error instanceof SocketClosed)) this.log.error({ err: error }, 'message failed');
      return { ok: false, problem: problemOf(code ?? 'internal', error instanceof Refused ? error.extras : {}) };
    }
  }

  /** undefined when the socket may connect, else the error for its browser. */
  private async letIn(socket: LiveSocket): Promise<Error | undefined> {
    try {
      await this.started;
      await this.handshake.check(socket);
      return undefined;
    } catch (error) {
      const code = codeOf(error) ?? 'internal';
      if (code === 'internal') this.log.error({ err: error }, 'handshake failed');
      this.handshake.refused(code, socket);
      return Object.assign(new Error(code), { data: problemOf(code) });
    }
  }
}
