import { Inject, Injectable } from '@nestjs/common';
import { Sessions } from '../auth/sessions.js';
import { LOG } from '../tokens.js';
import type { Connections } from './connections.js';
import { bufferedBytes, cutOff, endSocket, MOST_BUFFERED } from './wire.js';
import type { Logger } from '../logger.js';

/** With the two seconds that a session may stay cached, sockets close within five seconds. */
const SESSION_CHECK_MS = 2_000;
const BUFFER_CHECK_MS = 500;
/** Sessions read in parallel: on a vault server thousands in sequence would take too long. */
const AT_ONCE = 50;

/** Closes sockets whose session has ended, in any process, and those whose send buffer is full. */
@Injectable()
export class SocketWatch {
  private readonly timers: NodeJS.Timeout[] = [];
  private isChecking = false;

  constructor(
    private readonly sessions: Sessions,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  start(connections: Connections): void {
    this.sessions.onEnded((sessionId) => connections.ofSession(sessionId).forEach(endSocket));
    this.sessions.onRenamed(({ formerId, token, sessionId }) => {
      for (const { data } of connections.ofSession(formerId)) Object.assign(data, { token, caller: { ...data.caller, sessionId } });
    });
    this.timers.push(
      setInterval(() => void this.endDeadSessions(connections), SESSION_CHECK_MS),
      setInterval(() => this.endFullOnes(connections), BUFFER_CHECK_MS),
    );
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  private async endDeadSessions(connections: Connections): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    try {
      const tokens = new Map(connections.values().map(({ data }) => [data.token, data.caller.sessionId]));
      const all = [...tokens];
      for (let from = 0; from < all.length; from += AT_ONCE) {
        await Promise.all(all.slice(from, from + AT_ONCE).map(([token, sessionId]) => this.endDead(connections, token, sessionId)));
      }
    } catch (error) {
      this.log.error({ err: error }, 'sessions could not be checked');
    } finally {
      this.isChecking = false;
    }
  }

  private async endDead(connections: Connections, token: string, sessionId: string): Promise<void> {
    if ((await this.sessions.find(token)) === null) connections.ofSession(sessionId).forEach(endSocket);
  }

  private endFullOnes(connections: Connections): void {
    for (const socket of connections.values()) {
      const buffered = bufferedBytes(socket);
      if (buffered <= MOST_BUFFERED) continue;
      this.log.info({ uid: socket.data.caller.uid, buffered }, 'socket closed: its send buffer is full');
      cutOff(socket);
    }
  }
}
