import type { ClientMessages, ServerMessages } from '@roughmix/contracts/live.js';
import { io, type Socket } from 'socket.io-client';

export type LiveSocket = Socket<ServerMessages, ClientMessages>;

const SLOWEST_RETRY_MS = 5_000;

/** A socket to the server that also serves the page; websocket only, because many servers may stand behind one address. */
export const openSocket = (address: string): LiveSocket =>
  io(address, { transports: ['websocket'], withCredentials: true, reconnectionDelay: 500, reconnectionDelayMax: SLOWEST_RETRY_MS, forceNew: true });
