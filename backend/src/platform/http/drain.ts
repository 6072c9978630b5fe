import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextLoopTurn, setTimeout as sleep } from 'node:timers/promises';

interface Connection {
  /** Responses that have begun and are not complete. */
  readonly pending: Set<ServerResponse>;
  /** `bytesRead` of the socket when its last response ended, 0 before the first. */
  bytesAtLastAnswer: number;
}

/** How long each phase of the shutdown may take, in milliseconds. */
export interface DrainTimes {
  /** New connections are still accepted and idle ones stay open, while every response carries `Connection: close` and the readiness probe fails. */
  readonly notice: number;
  /** Pending requests may finish; those that have not by then are cut off. */
  readonly answers: number;
}

const POLL_MS = 20;
/** How long a connection that was opened just before the shutdown may take to send its first request. */
const FIRST_REQUEST_MS = 1_000;
const WEBSOCKET_CLOSE_MS = 500;
/** A turn of the event loop this short handled next to nothing. */
const SHORT_TURN_MS = 0.2;
const MAX_BACKLOG_MS = 500;

/**
 * Shuts an HTTP server down without failing a request that was sent: a client that receives `Connection: close` sends nothing more, and an idle
 * connection is closed right after the event loop has polled for input and found none.
 */
export class Drain {
  private readonly connections = new Map<Socket, Connection>();
  private readonly upgraded = new Set<Socket>();
  private stage: 'open' | 'notice' | 'closed' = 'open';

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => this.track(socket));
    server.prependListener('request', (request, response) => this.requestStarted(request, response));
    server.prependListener('upgrade', (request: IncomingMessage) => {
      if (this.connections.delete(request.socket)) this.upgraded.add(request.socket);
    });
  }

  /** How many requests have no complete response yet. */
  get pendingRequests(): number {
    return [...this.connections.values()].reduce((sum, { pending }) => sum + pending.size, 0);
  }

  /** Asks clients to disconnect during the notice, then stops listening and closes idle connections. */
  async stopListening(notice: DrainTimes['notice']): Promise<void> {
    this.stage = 'notice';
    for (const { pending } of this.connections.values()) pending.forEach(requestClose);
    if (this.connections.size + this.upgraded.size > 0) await sleep(notice);
    const paused = await this.acceptBacklog();
    this.stage = 'closed';
    this.server.close();
    for (const socket of paused) socket.resume();
    for (const [socket, connection] of this.connections) if (isIdle(socket, connection)) socket.destroy();
    setTimeout(() => this.closeUnused(), FIRST_REQUEST_MS).unref();
  }

  /** Waits for pending requests, then closes every connection. @returns how many requests were cut off */
  async waitForAnswers(timeout: DrainTimes['answers']): Promise<number> {
    await this.until(() => this.connections.size === 0, timeout);
    const cut = this.pendingRequests;
    await this.until(() => this.upgraded.size === 0, WEBSOCKET_CLOSE_MS);
    for (const socket of [...this.connections.keys(), ...this.upgraded]) socket.destroy();
    return cut;
  }

  private track(socket: Socket): void {
    this.connections.set(socket, { pending: new Set(), bytesAtLastAnswer: 0 });
    socket.once('close', () => {
      this.connections.delete(socket);
      this.upgraded.delete(socket);
    });
  }

  private requestStarted({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    connection.pending.add(response);
    if (this.stage !== 'open') requestClose(response);
    response.once('close', () => {
      connection.pending.delete(response);
      connection.bytesAtLastAnswer = socket.bytesRead;
      // A response whose headers were sent before the shutdown lacks `Connection: close`.
      if (this.stage === 'closed' && connection.pending.size === 0) socket.destroySoon();
    });
  }

  /**
   * Accepts every connection in the kernel's backlog, because requests sent on those are lost when the server stops listening. Node accepts one per
   * loop turn, and clients that were answered reconnect at once, so new connections are paused meanwhile. Ends after a turn that accepted none and was
   * so short that hardly one can have arrived since. @returns the paused connections
   */
  private async acceptBacklog(): Promise<readonly Socket[]> {
    const paused: Socket[] = [];
    const collect = (socket: Socket): void => void paused.push(socket);
    this.server.on('connection', collect);
    Object.assign(this.server, { pauseOnConnect: true });
    for (const end = performance.now() + MAX_BACKLOG_MS; performance.now() < end;) {
      const before = paused.length;
      const startedAt = performance.now();
      await nextLoopTurn();
      if (paused.length === before && performance.now() - startedAt < SHORT_TURN_MS) break;
    }
    this.server.off('connection', collect);
    return paused;
  }

  /** Closes connections that never carried a request; browsers open such ones speculatively. */
  private closeUnused(): void {
    for (const socket of this.connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  private async until(isDone: () => boolean, timeout: number): Promise<void> {
    for (const end = performance.now() + timeout; !isDone() && performance.now() < end;) await sleep(POLL_MS);
  }
}

function requestClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** True when nothing arrived since the last response. A connection without a response yet is about to be used. */
const isIdle = (socket: Socket, { pending, bytesAtLastAnswer }: Connection): boolean =>
  pending.size === 0 && bytesAtLastAnswer > 0 && socket.bytesRead <= bytesAtLastAnswer;
