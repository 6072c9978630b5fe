import { Inject, Injectable } from '@nestjs/common';
import { Refused } from '../../kernel/refusal.js';
import { Sessions, tokenOf } from '../auth/sessions.js';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { isForeignOrigin } from '../http/origin.js';
import { CLOCK, CONFIG } from '../tokens.js';
import type { LiveSocket, SocketFacts } from './connections.js';
import { MessageBudget } from './message-budget.js';

/** Accepts a socket from our own origin with a valid session. */
@Injectable()
export class Handshake {
  constructor(
    private readonly sessions: Sessions,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws Refused `request.cross-origin` or `auth.required` */
  async check(socket: LiveSocket): Promise<void> {
    const { headers, auth } = socket.handshake;
    if (isForeignOrigin(headers, this.config.PUBLIC_URL ?? `http://localhost:${this.config.PORT}`)) throw new Refused('request.cross-origin');
    const given: unknown = auth.token;
    const token = typeof given === 'string' ? given : tokenOf(headers, this.config.PUBLIC_URL).token;
    const caller = token === null ? null : await this.sessions.find(token);
    if (token === null || caller === null) throw new Refused('auth.required');
    const facts: SocketFacts = {
      caller,
      token,
      connectedAt: this.clock(),
      isListed: false,
      joined: new Map(),
      budget: new MessageBudget(() => performance.now()),
      turn: Promise.resolve(),
    };
    Object.assign(socket.data, facts);
  }
}
