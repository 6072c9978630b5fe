import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** What is known of a connection: the requests that have no whole answer yet, and how many octets had come when the last one was answered. */
interface Connection {
  readonly underWay: Set<ServerResponse>;
  answeredAt: number;
}

/** How long each step of ending may take, in milliseconds from the one before. */
export interface DrainTimes {
  /** For so long new connections are still taken and idle ones kept, while every answer says that its connection ends and readiness says no. */
  readonly notice: number;
  /** For so long requests that have begun may take; what is not answered then is cut off. */
  readonly answers: number;
}

const LOOK_MS = 20;
/** How long a connection that was opened just before the end may take to bring its first request. */
const FIRST_REQUEST_MS = 1_000;
/** How long a WebSocket that was told to close may take to do so. */
const FAREWELL_MS = 500;
/** A turn of the loop in which next to nothing happened, and how long to wait for one. */
const SHORT_TURN_MS = 0.2;
const BACKLOG_MS = 500;

/**
 * Follows the connections of an HTTP server, to end it without failing a request that was sent: who is told `Connection: close` sends nothing more, and
 * what is closed unasked is closed in the moment after the loop has looked for input and found none.
 */
export class Drain {
  private readonly connections = new Map<Socket, Connection>();
  private readonly upgraded = new Set<Socket>();
  private stage: 'open' | 'notice' | 'closed' = 'open';

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => this.follow(socket));
    server.prependListener('request', (request, answer) => this.began(request, answer));
    server.prependListener('upgrade', (request: IncomingMessage) => {
      if (this.connections.delete(request.socket)) this.upgraded.add(request.socket);
    });
  }

  /** Requests without a whole answer. */
  get underWay(): number {
    return [...this.connections.values()].reduce((sum, { underWay }) => sum + underWay.size, 0);
  }

  /** Begins to send clients away, then stops listening and ends the connections that are idle. */
  async stopListening(notice: DrainTimes['notice']): Promise<void> {
    this.stage = 'notice';
    for (const { underWay } of this.connections.values()) underWay.forEach(sayLast);
    // Nobody is connected: nobody has to be told.
    if (this.connections.size + this.upgraded.size > 0) await pause(notice);
    const waiting = await this.takeBacklog();
    this.stage = 'closed';
    this.server.close();
    for (const socket of waiting) socket.resume();
    for (const [socket, connection] of this.connections) if (isIdle(socket, connection)) socket.destroy();
    setTimeout(() => this.endUnused(), FIRST_REQUEST_MS).unref();
  }

  /** Waits for the answers under way; then whatever is still open is cut off. @returns how many requests were */
  async answered(answers: DrainTimes['answers']): Promise<number> {
    await this.until(() => this.connections.size === 0, answers);
    const cut = this.underWay;
    await this.until(() => this.upgraded.size === 0, FAREWELL_MS);
    for (const socket of [...this.connections.keys(), ...this.upgraded]) socket.destroy();
    return cut;
  }

  private follow(socket: Socket): void {
    this.connections.set(socket, { underWay: new Set(), answeredAt: 0 });
    socket.once('close', () => {
      this.connections.delete(socket);
      this.upgraded.delete(socket);
    });
  }

  private began({ socket }: IncomingMessage, answer: ServerResponse): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    connection.underWay.add(answer);
    if (this.stage !== 'open') sayLast(answer);
    answer.once('close', () => {
      connection.underWay.delete(answer);
      connection.answeredAt = socket.bytesRead;
      // An answer that had begun before the end was known says that the connection stays.
      if (this.stage === 'closed' && connection.underWay.size === 0) socket.destroySoon();
    });
  }

  /**
   * Takes every connection that the system has taken already: what their clients sent is lost when the server stops listening before. Node takes one a
   * turn, and an answered client comes back at once, so meanwhile new ones are not read. Over after a turn that took none and was so short that hardly one
   * can have come since. @returns those that wait to be read
   */
  private async takeBacklog(): Promise<readonly Socket[]> {
    const waiting: Socket[] = [];
    const hold = (socket: Socket): void => void waiting.push(socket);
    this.server.on('connection', hold);
    Object.assign(this.server, { pauseOnConnect: true });
    for (const end = performance.now() + BACKLOG_MS; performance.now() < end;) {
      const before = waiting.length;
      const begun = performance.now();
      await nextTurn();
      if (waiting.length === before && performance.now() - begun < SHORT_TURN_MS) break;
    }
    this.server.off('connection', hold);
    return waiting;
  }

  /** Ends connections on which nothing was ever sent, as browsers open them to have them at hand. */
  private endUnused(): void {
    for (const socket of this.connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  private async until(isSo: () => boolean, milliseconds: number): Promise<void> {
    for (const end = performance.now() + milliseconds; !isSo() && performance.now() < end;) await pause(LOOK_MS);
  }
}

function sayLast(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
}

/** Nothing of a request has come since the last answer. A connection without an answer yet is about to be used. */
const isIdle = (socket: Socket, { underWay, answeredAt }: Connection): boolean => underWay.size === 0 && answeredAt > 0 && socket.bytesRead <= answeredAt;
