import { io } from 'socket.io-client';
import { until } from './studio.mjs';

/** A socket of somebody's session that remembers every message, in order, with the instant it came. */
export class Listener {
  heard = [];

  constructor(who, options = {}) {
    this.socket = io(options.url ?? who.url, { transports: ['websocket'], auth: { token: who.token }, forceNew: true, reconnection: false, ...options });
    this.socket.onAny((channel, body) => this.heard.push({ channel, body, at: performance.now() }));
  }

  /** @throws the handshake's refusal */
  connected() {
    if (this.socket.connected) return Promise.resolve(this);
    return new Promise((resolve, reject) => {
      this.socket.once('connect', () => resolve(this));
      this.socket.once('connect_error', reject);
      // Its connection may end before the server has answered.
      this.socket.once('disconnect', (reason) => reject(new Error(reason)));
    });
  }

  /** Sends a message and gives its acknowledgement. */
  ask(name, body = {}, milliseconds = 30_000) {
    return this.socket.timeout(milliseconds).emitWithAck(name, body);
  }

  /** Goes into a project's room; `after`: the last position that was handled. */
  join(projectId, after) {
    return this.ask('in-project', after === undefined ? { projectId } : { projectId, after });
  }

  /** What was heard of a project's changes, without presence. */
  pushes(projectId) {
    return this.heard.filter(({ channel, body }) => channel !== 'currentUsers' && (projectId === undefined || body.projectId === projectId));
  }

  disconnected(milliseconds = 10_000) {
    return until('the socket is disconnected', () => !this.socket.connected, milliseconds);
  }

  close() {
    this.socket.disconnect();
  }
}

/** A connected socket of somebody. */
export const listen = (who, options) => new Listener(who, options).connected();
