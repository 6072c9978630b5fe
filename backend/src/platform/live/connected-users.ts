import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { CLOCK, CONFIG } from '../tokens.js';
import { PresenceElsewhere } from './presence-elsewhere.js';

/** The name under which processes list everyone with a socket, beside the rooms. No room has this name. */
export const CONNECTED = 'connected';
/** After a start, browsers take some seconds to come back, and processes that were killed are still listed. */
const SETTLING_MS = 15_000;

/** Who has a socket, in any process. */
@Injectable()
export class ConnectedUsers implements OnApplicationBootstrap, OnApplicationShutdown {
  /** From when on {@link has} can be relied on in this process. */
  readonly settledAt: Instant;
  /** The gateway of a process with sockets exchanges presence; a process that only reacts reads that of the others. */
  private readonly onlyReads: boolean;

  constructor(
    private readonly presence: PresenceElsewhere,
    @Inject(CONFIG) { ROLES }: Pick<Config, 'ROLES'>,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.settledAt = clock() + SETTLING_MS;
    this.onlyReads = ROLES.includes('reactor') && !ROLES.includes('web');
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.onlyReads) await this.presence.start({ here: () => ({}), moved: () => undefined });
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.onlyReads) await this.presence.stop();
  }

  /** Whether a user has a socket. Other processes are asked about once a second; one that was killed counts for up to twelve. */
  has(uid: Uid): boolean {
    return this.presence.everywhereIn(CONNECTED).includes(uid);
  }
}
