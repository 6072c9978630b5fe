import type { LiveSocket } from './connections.js';

/** The most that may wait for a browser that does not read, in bytes; over it the socket is cut off, and its page comes back with `after`. */
export const MOST_BUFFERED = 16 * 1024 * 1024;
const GRACE_MS = 1_000;

/** What engine.io and ws keep of a connection, and do not tell by their types. */
interface Connection {
  readonly writeBuffer?: readonly { readonly data?: unknown }[];
  readonly transport?: { readonly socket?: { readonly bufferedAmount?: number; terminate?(): void } };
}

const sizeOf = (data: unknown): number => (typeof data === 'string' || Buffer.isBuffer(data) ? data.length : 0);

/** What waits to be sent on a socket, in bytes: packets that engine.io holds back, and what the websocket holds of those given to it. */
export function bufferedBytes({ conn }: Pick<LiveSocket, 'conn'>): number {
  const { writeBuffer = [], transport }: Connection = conn as object;
  return writeBuffer.reduce((sum, { data }) => sum + sizeOf(data), transport?.socket?.bufferedAmount ?? 0);
}

/** Cuts the connection off with all that waits on it. */
export function cutOff({ conn }: Pick<LiveSocket, 'conn'>): void {
  const { transport }: Connection = conn as object;
  transport?.socket?.terminate?.();
}

/** Ends a socket; one that does not read what is still on its way to it is cut off a second later. */
export function endSocket(socket: LiveSocket): void {
  socket.disconnect(true);
  setTimeout(() => cutOff(socket), GRACE_MS).unref();
}
