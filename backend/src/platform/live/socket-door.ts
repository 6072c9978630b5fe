import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { networkOf } from '../auth/client-network.js';
import type { Config } from '../config/config.js';
import { addressOf, trustedProxies, type TrustProxy } from '../http/client-address.js';
import { isForeignOrigin, publicUrlOf } from '../http/origin.js';
import { SecurityLog } from '../security/security-log.js';
import { withSecurityScope } from '../security/security-scope.js';
import { CONFIG } from '../tokens.js';

/** How many sockets of this process may be without a session, from all addresses together. */
const MOST_UNAUTHENTICATED = 1_000;
/** The target of refused handshakes and messages. */
const SOCKET = 'GET /socket.io';
/** How long a socket may be without a session before its connection is cut, whether or not the client answers a closing handshake. */
const UNAUTHENTICATED_MS = 5_000;

/** Decides before the upgrade who may open a socket, and counts those that have not shown a session yet. */
@Injectable()
export class SocketDoor {
  private readonly trust: TrustProxy | false;
  private readonly unauthenticated = new Map<string, number>();
  private readonly leave = new WeakMap<IncomingMessage, () => void>();
  private total = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly security: SecurityLog,
  ) {
    this.trust = trustedProxies(config);
  }

  /** The client's network, which shares limits. */
  networkOf(request: IncomingMessage): string {
    return networkOf(this.addressOf(request));
  }

  /** The client's address. */
  addressOf(request: IncomingMessage): string {
    return addressOf(request, this.trust);
  }

  /** Records in the security log that a handshake, or a message of a known user, was refused. */
  refused(code: ProblemCode, request: IncomingMessage, actor: Uid | null = null): void {
    withSecurityScope({ requestId: null, address: this.addressOf(request), actor }, () => this.security.refused(code, SOCKET));
  }

  /** Admits a handshake and counts it until its session is known or its connection closes; else the refusal. */
  admit(request: IncomingMessage): ProblemCode | null {
    if (isForeignOrigin(request.headers, publicUrlOf(this.config))) return 'request.cross-origin';
    const network = this.networkOf(request);
    const count = this.unauthenticated.get(network) ?? 0;
    if (count >= LIMITS.unauthenticatedSockets) return 'throttled';
    if (this.total >= MOST_UNAUTHENTICATED) return 'store.busy';
    this.change(network, 1);
    const tooLate = setTimeout(() => request.socket.destroy(), UNAUTHENTICATED_MS).unref();
    const leave = (): void => {
      clearTimeout(tooLate);
      if (this.leave.delete(request)) this.change(network, -1);
    };
    this.leave.set(request, leave);
    request.socket.once('close', leave);
    return null;
  }

  /** The socket of this handshake has a session: it no longer counts. */
  authenticate(request: IncomingMessage): void {
    this.leave.get(request)?.();
  }

  private change(network: string, by: 1 | -1): void {
    this.total += by;
    const count = (this.unauthenticated.get(network) ?? 0) + by;
    if (count === 0) this.unauthenticated.delete(network);
    else this.unauthenticated.set(network, count);
  }
}
