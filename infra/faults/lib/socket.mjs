import { io } from 'socket.io-client';
import { until } from './studio.mjs';

/** A user's socket that records every message in order with its time of arrival. */
export class Listener {
  received = [];

  constructor(who, options = {}) {
    this.socket = io(options.url ?? who.url, { transports: ['websocket'], auth: { token: who.token }, forceNew: true, reconnection: false, ...options });
    this.socket.onAny((channel, body) => this.received.push({ channel, body, at: performance.now() }));
  }

  /** @throws the handshake's refusal */
  connected() {
    if (this.socket.connected) return Promise.resolve(this);
    return new Promise((resolve, reject) => {
      this.socket.once('connect', () => resolve(this));
      this.socket.once('connect_error', reject);
      // The connection may close before the server answers.
      this.socket.once('disconnect', (reason) => reject(new Error(reason)));
    });
  }

  /** Sends a message and returns its acknowledgement. */
  ask(name, body = {}, milliseconds = 30_000) {
    return this.socket.timeout(milliseconds).emitWithAck(name, body);
  }

  /** Joins a project's room; `after`: the last handled position. */
  join(projectId, after) {
    return this.ask('in-project', after === undefined ? { projectId } : { projectId, after });
  }

  /** The received changes of a project, without presence. */
  pushes(projectId) {
    return this.received.filter(({ channel, body }) => channel !== 'currentUsers' && (projectId === undefined || body.projectId === projectId));
  }

  disconnected(milliseconds = 10_000) {
    return until('the socket is disconnected', () => !this.socket.connected, milliseconds);
  }

  close() {
    this.socket.disconnect();
  }
}

/** A user's connected socket. */
export const listen = (who, options) => new Listener(who, options).connected();
