import type { LiveSocket } from './connections.js';

/** The most bytes that may wait in a socket's send buffer. Over it the socket is cut off, and its page reconnects with `after`. */
export const MOST_BUFFERED = 16 * 1024 * 1024;
const GRACE_MS = 1_000;

/** Fields of engine.io and ws that their types leave out. */
interface Connection {
  readonly writeBuffer?: readonly { readonly data?: unknown }[];
  readonly transport?: { readonly socket?: { readonly bufferedAmount?: number; terminate?(): void } };
}

const sizeOf = (data: unknown): number => (typeof data === 'string' || Buffer.isBuffer(data) ? data.length : 0);

/** The socket of a message has closed, so nobody waits for its answer. */
export class SocketClosed extends Error {
  override readonly name = 'SocketClosed';
}

/** @throws SocketClosed */
export function mustBeOpen(socket: Pick<LiveSocket, 'connected'>): void {
  if (!socket.connected) throw new SocketClosed();
}

/** Bytes in a socket's send buffers: those of engine.io and of the websocket. */
export function bufferedBytes({ conn }: Pick<LiveSocket, 'conn'>): number {
  const { writeBuffer = [], transport }: Connection = conn as object;
  return writeBuffer.reduce((sum, { data }) => sum + sizeOf(data), transport?.socket?.bufferedAmount ?? 0);
}

/** Closes the connection without sending what is buffered. */
export function cutOff({ conn }: Pick<LiveSocket, 'conn'>): void {
  const { transport }: Connection = conn as object;
  transport?.socket?.terminate?.();
}

/** Disconnects a socket; if its browser does not read, the connection is cut off a second later. */
export function endSocket(socket: LiveSocket): void {
  socket.disconnect(true);
  setTimeout(() => cutOff(socket), GRACE_MS).unref();
}
