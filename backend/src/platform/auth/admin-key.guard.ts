import { createHash, timingSafeEqual } from 'node:crypto';
import { applyDecorators, type CanActivate, type ExecutionContext, Inject, Injectable, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refused } from '../../kernel/refusal.js';
import { GuestMay, Public } from '../http/caller.js';
import { routeTarget } from '../security/route-target.js';
import { ADMIN_KEY_HOLDER } from '../security/security-event.js';
import { SecurityLog } from '../security/security-log.js';
import { noteActor } from '../security/security-scope.js';
import { SECRETS } from '../tokens.js';
import type { Secrets } from './secrets.js';
import { Throttle } from './throttle.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Admits requests to `/api/admin/{key}` with the right key. */
@Injectable()
export class AdminKeyGuard implements CanActivate {
  constructor(
    private readonly throttle: Throttle,
    private readonly security: SecurityLog,
    @Inject(SECRETS) private readonly secrets: Pick<Secrets, 'adminKey'>,
  ) {}

  /** @throws Refused `admin.unauthorized`; Throttled after too many wrong keys, even with the right one */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest<{ Params: { key: string } }>>();
    const counters = this.throttle.adminKeysOfAddress(request.ip);
    await this.throttle.check(counters);
    // timingSafeEqual needs equal lengths, so digests are compared.
    if (!timingSafeEqual(digest(request.params.key), digest(this.secrets.adminKey))) {
      await this.throttle.attempt(counters);
      throw new Refused('admin.unauthorized');
    }
    noteActor(ADMIN_KEY_HOLDER);
    this.security.record('admin.called', { target: routeTarget(request) });
    return true;
  }
}

/** For controllers below `/api/admin/:key`: they need the admin key and no session. */
export const AdminKeyOnly = (): ClassDecorator => applyDecorators(Public(), GuestMay(), UseGuards(AdminKeyGuard));
