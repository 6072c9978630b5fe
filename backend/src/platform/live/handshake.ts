import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { Refused } from '../../kernel/refusal.js';
import { Sessions, tokenOf } from '../auth/sessions.js';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { CLOCK, CONFIG } from '../tokens.js';
import { type LiveSocket, personOf, type SocketFacts } from './connections.js';
import { MessageBudgets } from './message-budget.js';
import { SocketDoor } from './socket-door.js';

/** Accepts a socket with a valid session. */
@Injectable()
export class Handshake {
  constructor(
    private readonly sessions: Sessions,
    private readonly door: SocketDoor,
    private readonly budgets: MessageBudgets,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws Refused `auth.required` */
  async check(socket: LiveSocket): Promise<void> {
    const { headers, auth } = socket.handshake;
    const given: unknown = auth.token;
    const token = typeof given === 'string' ? given : tokenOf(headers, this.config.PUBLIC_URL).token;
    const caller = token === null ? null : await this.sessions.find(token);
    if (token === null || caller === null) throw new Refused('auth.required');
    this.door.authenticate(socket.request);
    const facts: SocketFacts = {
      caller,
      token,
      connectedAt: this.clock(),
      isListed: false,
      joined: new Map(),
      budget: this.budgets.of(personOf(caller), this.door.networkOf(socket.request)),
      turn: Promise.resolve(),
    };
    Object.assign(socket.data, facts);
  }

  /** Records in the security log that the handshake, or a message of a known user, was refused. */
  refused(code: ProblemCode, { request }: LiveSocket, actor: Uid | null = null): void {
    this.door.refused(code, request, actor);
  }
}
