import type { Ack } from '@roughmix/contracts/live.js';
import type { Problem } from '@roughmix/contracts/shared/problems.js';
import { io, type Socket } from 'socket.io-client';
import type { TestClient } from './test-client.js';

/** A received message on any channel. */
export interface ReceivedMessage {
  readonly channel: string;
  readonly body: Readonly<Record<string, unknown>> & {
    readonly type?: string;
    readonly projectId: string;
    readonly ids?: readonly string[];
    readonly position?: number;
  };
}

/** Presence and notifications, which specs of other pushes leave out. */
export const isAside = ({ channel }: ReceivedMessage): boolean => channel === 'currentUsers' || channel === 'notification';

const DEADLINE_MS = 20_000;

/** A socket that records every message it receives, in order. */
export class TestSocket {
  readonly received: ReceivedMessage[] = [];
  private readonly waiting = new Set<() => void>();

  constructor(private readonly socket: Socket) {
    socket.onAny((channel: string, body: ReceivedMessage['body']) => {
      this.received.push({ channel, body });
      this.wake();
    });
    socket.on('disconnect', () => this.wake());
  }

  get isConnected(): boolean {
    return this.socket.connected;
  }

  /** Sends a message and returns its acknowledgement. @throws if none arrives within `deadline` milliseconds */
  async ask<Answer extends object = object>(name: string, body: unknown = {}, deadline = DEADLINE_MS): Promise<Ack<Answer & { position: number }>> {
    return (await this.socket.timeout(deadline).emitWithAck(name, body)) as Ack<Answer & { position: number }>;
  }

  async join(projectId: string, after?: number): Promise<Ack<{ position: number; log: string; users: readonly { uid: string }[]; reload?: true }>> {
    return this.ask('in-project', after === undefined ? { projectId } : { projectId, after });
  }

  /** The first message that matches, received already or later. */
  async until(fits: (received: ReceivedMessage) => boolean): Promise<ReceivedMessage> {
    await this.when(() => this.received.some(fits), 'the message did not arrive');
    const found = this.received.find(fits);
    if (found === undefined) throw new Error('the message is no longer recorded');
    return found;
  }

  /** Waits until the server has ended the connection. */
  disconnected(): Promise<void> {
    return this.when(() => !this.socket.connected, 'the socket is still connected');
  }

  /** Every received message except presence and notifications, as `channel type`. */
  summary(): readonly string[] {
    return this.received.filter((each) => !isAside(each)).map(({ channel, body }) => `${channel} ${body.type ?? ''}`);
  }

  /** Forgets the received messages. */
  clear(): void {
    this.received.length = 0;
  }

  close(): void {
    this.socket.disconnect();
  }

  private when(isSo: () => boolean, failure: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => end(new Error(`${failure}; received: ${JSON.stringify(this.received.map(({ channel, body }) => [channel, body.type]))}`)),
        DEADLINE_MS,
      );
      const end = (error?: Error): void => {
        clearTimeout(timer);
        this.waiting.delete(look);
        if (error === undefined) resolve();
        else reject(error);
      };
      const look = (): void => {
        if (isSo()) end();
      };
      this.waiting.add(look);
      look();
    });
  }

  private wake(): void {
    for (const look of this.waiting) look();
  }
}

interface Handshake {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly transport?: 'websocket' | 'polling';
}

const open = (url: string, { token, headers = {}, transport = 'websocket' }: Handshake): Socket =>
  io(url, { transports: [transport], auth: token === undefined ? {} : { token }, extraHeaders: headers, forceNew: true, reconnection: false });

/** A connected socket with the client's session. */
export async function socketOf(client: TestClient, handshake: Handshake = {}): Promise<TestSocket> {
  const socket = open(client.url, { ...(client.token === null ? {} : { token: client.token }), ...handshake });
  const tested = new TestSocket(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return tested;
}

/** Why a handshake was refused: the message and data of `connect_error`. */
export async function refusedSocket(url: string, handshake: Handshake): Promise<{ readonly message: string; readonly data: Problem | undefined }> {
  const socket = open(url, handshake);
  try {
    return await new Promise((resolve, reject) => {
      socket.once('connect', () => reject(new Error('the handshake was accepted')));
      socket.once('connect_error', (error: Error & { data?: Problem }) => resolve({ message: error.message, data: error.data }));
    });
  } finally {
    socket.disconnect();
  }
}
