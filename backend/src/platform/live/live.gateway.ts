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
import { LeftProject, Nothing } from '@roughmix/contracts/live.api.js';
import type { Ack, InProjectAnswer } from '@roughmix/contracts/live.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../../kernel/refusal.js';
import { parseBody } from '../http/body.js';
import { codeOf, problemOf } from '../http/problem.filter.js';
import type { ProjectionLog } from '../projections/projection-runner.js';
import { LOG } from '../tokens.js';
import { Connections, type LiveServer, type LiveSocket } from './connections.js';
import { Handshake } from './handshake.js';
import { LiveFeed } from './live-feed.js';
import { userRoom } from './live-message.js';
import { Presence } from './presence.js';
import { ProjectRooms } from './project-rooms.js';
import { SocketWatch } from './socket-watch.js';
import { Teller } from './teller.js';

const CONNECT_MS = 10_000;

/** The socket: who may connect, what browsers may send, and what they hear. Every message is acknowledged, refused ones with their problem. */
@WebSocketGateway({ transports: ['websocket'], cors: false, serveClient: false, maxHttpBufferSize: 64 * 1024, connectTimeout: CONNECT_MS })
export class LiveGateway implements OnGatewayInit<LiveServer>, OnGatewayConnection<LiveSocket>, OnGatewayDisconnect<LiveSocket>, OnApplicationShutdown {
  @WebSocketServer()
  readonly server: LiveServer;
  private readonly connections = new Connections();
  /** Over when messages are told from here on: until then nobody comes in, who would miss some. */
  private begun: Promise<void> = Promise.resolve();

  constructor(
    private readonly handshake: Handshake,
    private readonly watch: SocketWatch,
    private readonly feed: LiveFeed,
    private readonly rooms: ProjectRooms,
    private readonly presence: Presence,
    private readonly teller: Teller,
    @Inject(LOG) private readonly log: ProjectionLog,
  ) {}

  /** Nest does not wait for it, and listens meanwhile. */
  async afterInit(server: LiveServer): Promise<void> {
    const check = async (socket: LiveSocket, next: (error?: Error) => void): Promise<void> => next(await this.letIn(socket));
    server.use((socket, next) => void check(socket, next));
    this.watch.start(this.connections);
    this.begun = this.begin(server);
    await this.begun;
  }

  async handleConnection(socket: LiveSocket): Promise<void> {
    this.connections.add(socket);
    socket.use(([, ...args], next) => {
      if (socket.data.budget.take()) return next();
      // Names nobody defined are not answered, so only what came with an acknowledgement is.
      const ack: unknown = args.at(-1);
      if (typeof ack === 'function') (ack as (answer: Ack) => void)({ ok: false, problem: problemOf('throttled') });
    });
    if (!socket.data.caller.isGuest) await socket.join(userRoom(socket.data.caller.uid));
  }

  async handleDisconnect(socket: LiveSocket): Promise<void> {
    this.connections.remove(socket);
    for (const projectId of socket.data.joined?.keys() ?? []) await this.announce(projectId);
  }

  @SubscribeMessage('login')
  login(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack> {
    return this.acknowledged(socket, () => this.list(socket, body, true));
  }

  @SubscribeMessage('logout')
  logout(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack> {
    return this.acknowledged(socket, () => this.list(socket, body, false));
  }

  @SubscribeMessage('in-project')
  inProject(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack<InProjectAnswer>> {
    return this.acknowledged(socket, async () => {
      const { projectId, ...answer } = await this.rooms.join(socket, body);
      await this.announce(projectId);
      return { ...answer, users: socket.data.joined.get(projectId) === 'members' ? await this.presence.usersIn(this.connections, projectId) : [] };
    });
  }

  @SubscribeMessage('left-project')
  leftProject(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack> {
    return this.acknowledged(socket, async () => {
      const { projectId } = parseBody(LeftProject, body);
      const wasIn = socket.data.joined.has(projectId);
      await this.rooms.leave(socket, projectId);
      if (wasIn) await this.announce(projectId);
      return {};
    });
  }

  @SubscribeMessage('in-group')
  inGroup(@ConnectedSocket() socket: LiveSocket): Promise<Ack> {
    return this.notBuilt(socket);
  }

  @SubscribeMessage('left-group')
  leftGroup(@ConnectedSocket() socket: LiveSocket): Promise<Ack> {
    return this.notBuilt(socket);
  }

  @SubscribeMessage('update-likes')
  updateLikes(@ConnectedSocket() socket: LiveSocket): Promise<Ack> {
    return this.notBuilt(socket);
  }

  @SubscribeMessage('update-newUserNotif')
  updateNewUserNotif(@ConnectedSocket() socket: LiveSocket): Promise<Ack> {
    return this.notBuilt(socket);
  }

  @SubscribeMessage('update-metrics')
  updateMetrics(@ConnectedSocket() socket: LiveSocket): Promise<Ack> {
    return this.notBuilt(socket);
  }

  /** What is still beginning asks stores that are closed after this. */
  async onApplicationShutdown(): Promise<void> {
    await this.begun.catch(() => undefined); // told where it began
    this.watch.stop();
    await this.presence.stop();
  }

  private async begin(server: LiveServer): Promise<void> {
    await this.presence.start(server, this.connections);
    await this.feed.start(this.teller.listener(server, this.connections));
  }

  private async list(socket: LiveSocket, body: unknown, isListed: boolean): Promise<object> {
    parseBody(Nothing, body);
    if (socket.data.isListed === isListed) return {};
    socket.data.isListed = isListed;
    for (const projectId of socket.data.joined.keys()) await this.announce(projectId);
    return {};
  }

  private announce(projectId: Id): Promise<void> {
    return this.presence.announce(this.server, this.connections, projectId);
  }

  /** A method hears one message: of several decorators on it Nest would keep the first. */
  private notBuilt(socket: LiveSocket): Promise<Ack> {
    return this.acknowledged(socket, () => Promise.reject(new Refused('message.unknown')));
  }

  /** Does the work when the socket's earlier messages are done, and answers for it. */
  private async acknowledged<Answer extends object>(socket: LiveSocket, work: () => Promise<Answer>): Promise<Ack<Answer>> {
    const mine = socket.data.turn.then(work);
    socket.data.turn = mine.catch(() => undefined); // told by its own acknowledgement
    try {
      const answer = await mine;
      return { ok: true, position: this.feed.position, ...answer };
    } catch (error) {
      const code = codeOf(error);
      if (code === null) this.log.error({ err: error }, 'message failed');
      return { ok: false, problem: problemOf(code ?? 'internal', error instanceof Refused ? error.extras : {}) };
    }
  }

  /** Nothing when the socket may come in, else the error that its browser hears. */
  private async letIn(socket: LiveSocket): Promise<Error | undefined> {
    try {
      await this.begun;
      await this.handshake.check(socket);
      return undefined;
    } catch (error) {
      const code = codeOf(error) ?? 'internal';
      if (code === 'internal') this.log.error({ err: error }, 'handshake failed');
      return Object.assign(new Error(code), { data: problemOf(code) });
    }
  }
}
