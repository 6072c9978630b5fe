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
import type { Ack, InProjectAnswer } from '@roughmix/contracts/live.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../../kernel/refusal.js';
import { Sessions } from '../auth/sessions.js';
import { codeOf, problemOf } from '../http/problem.filter.js';
import type { ProjectionLog } from '../projection-runner.js';
import { LOG } from '../tokens.js';
import { Connections, type LiveServer, type LiveSocket } from './connections.js';
import { Handshake } from './handshake.js';
import { LiveFeed } from './live-feed.js';
import type { LiveStep } from './live-message.js';
import { userRoom } from './live-message.js';
import { ProjectRooms } from './project-rooms.js';

const SESSION_CHECK_MS = 4_000;

/** The socket: who may connect, what browsers may send, and what they hear. Every message is acknowledged, refused ones with their problem. */
@WebSocketGateway({ transports: ['websocket'], cors: false, maxHttpBufferSize: 64 * 1024 })
export class LiveGateway implements OnGatewayInit<LiveServer>, OnGatewayConnection<LiveSocket>, OnGatewayDisconnect<LiveSocket>, OnApplicationShutdown {
  @WebSocketServer()
  private readonly server: LiveServer;
  private readonly connections = new Connections();
  private sessionCheck: NodeJS.Timeout | undefined;

  constructor(
    private readonly handshake: Handshake,
    private readonly sessions: Sessions,
    private readonly feed: LiveFeed,
    private readonly rooms: ProjectRooms,
    @Inject(LOG) private readonly log: ProjectionLog,
  ) {}

  async afterInit(server: LiveServer): Promise<void> {
    const check = async (socket: LiveSocket, next: (error?: Error) => void): Promise<void> => next(await this.letIn(socket));
    server.use((socket, next) => void check(socket, next));
    this.sessions.onEnded((sessionId) => this.connections.ofSession(sessionId).forEach((socket) => socket.disconnect(true)));
    this.sessionCheck = setInterval(() => void this.endDeadSessions(), SESSION_CHECK_MS);
    await this.feed.start({ isHeard: () => this.connections.values().length > 0, take: (steps) => this.take(steps) });
  }

  async handleConnection(socket: LiveSocket): Promise<void> {
    this.connections.add(socket);
    if (!socket.data.caller.isGuest) await socket.join(userRoom(socket.data.caller.uid));
  }

  async handleDisconnect(socket: LiveSocket): Promise<void> {
    this.connections.remove(socket);
    for (const projectId of socket.data.joined?.keys() ?? []) await this.announce(projectId);
  }

  @SubscribeMessage('login')
  login(@ConnectedSocket() socket: LiveSocket): Promise<Ack> {
    return this.acknowledged(async () => this.list(socket, true));
  }

  @SubscribeMessage('logout')
  logout(@ConnectedSocket() socket: LiveSocket): Promise<Ack> {
    return this.acknowledged(async () => this.list(socket, false));
  }

  @SubscribeMessage('in-project')
  inProject(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack<InProjectAnswer>> {
    return this.acknowledged(async () => {
      const answer = await this.feed.between(() => this.rooms.join(socket, body));
      const projectId = this.rooms.projectIdIn(body);
      await this.rooms.announce(this.server, this.connections, projectId);
      return { ...answer, users: socket.data.joined.get(projectId) === 'members' ? await this.rooms.usersIn(this.connections, projectId) : [] };
    });
  }

  @SubscribeMessage('left-project')
  leftProject(@ConnectedSocket() socket: LiveSocket, @MessageBody() body: unknown): Promise<Ack> {
    return this.acknowledged(async () => {
      const projectId = this.rooms.projectIdIn(body);
      await this.rooms.leave(socket, projectId);
      await this.rooms.announce(this.server, this.connections, projectId);
      return {};
    });
  }

  @SubscribeMessage('in-group')
  inGroup(): Promise<Ack> {
    return this.notBuilt();
  }

  @SubscribeMessage('left-group')
  leftGroup(): Promise<Ack> {
    return this.notBuilt();
  }

  @SubscribeMessage('update-likes')
  updateLikes(): Promise<Ack> {
    return this.notBuilt();
  }

  @SubscribeMessage('update-newUserNotif')
  updateNewUserNotif(): Promise<Ack> {
    return this.notBuilt();
  }

  @SubscribeMessage('update-metrics')
  updateMetrics(): Promise<Ack> {
    return this.notBuilt();
  }

  onApplicationShutdown(): void {
    clearInterval(this.sessionCheck);
  }

  private async list(socket: LiveSocket, isListed: boolean): Promise<object> {
    socket.data.isListed = isListed;
    for (const projectId of socket.data.joined.keys()) await this.rooms.announce(this.server, this.connections, projectId);
    return {};
  }

  private take(steps: readonly LiveStep[]): void {
    for (const step of steps) {
      if (step.kind === 'emit') this.rooms.emit(this.server, step);
      else void this.announce(this.rooms.move(this.connections, step));
    }
  }

  /** Says who is here now, where nobody waits for the outcome. */
  private async announce(projectId: Id): Promise<void> {
    try {
      await this.rooms.announce(this.server, this.connections, projectId);
    } catch (error) {
      this.log.error({ err: error, projectId }, 'who is here could not be said');
    }
  }

  /** A method hears one message: of several decorators on it Nest would keep the first. */
  private notBuilt(): Promise<Ack> {
    return this.acknowledged(() => Promise.reject(new Refused('message.unknown')));
  }

  private async acknowledged<Answer extends object>(work: () => Promise<Answer>): Promise<Ack<Answer>> {
    try {
      return { ok: true, position: this.feed.position, ...(await work()) };
    } catch (error) {
      const code = codeOf(error);
      if (code === null) this.log.error({ err: error }, 'message failed');
      return { ok: false, problem: problemOf(code ?? 'internal', error instanceof Refused ? error.extras : {}) };
    }
  }

  /** Nothing when the socket may come in, else the error that its browser hears. */
  private async letIn(socket: LiveSocket): Promise<Error | undefined> {
    try {
      await this.handshake.check(socket);
      return undefined;
    } catch (error) {
      const code = codeOf(error) ?? 'internal';
      if (code === 'internal') this.log.error({ err: error }, 'handshake failed');
      return Object.assign(new Error(code), { data: problemOf(code) });
    }
  }

  private async endDeadSessions(): Promise<void> {
    try {
      for (const socket of this.connections.values()) {
        if ((await this.sessions.find(socket.data.token)) === null) socket.disconnect(true);
      }
    } catch (error) {
      this.log.error({ err: error }, 'sessions could not be checked');
    }
  }
}
