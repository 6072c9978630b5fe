import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import type { FastifyReply } from 'fastify';
import { Refused } from '../../kernel/refusal.js';
import { sessionCookie } from '../auth/session-cookie.js';
import { type ActiveSession, Sessions, tokenOf } from '../auth/sessions.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../tokens.js';
import { noteActor } from '../security/security-scope.js';
import { ACTOR_PARAM, ANY_ORIGIN, callerOf, GUEST_MAY, type GuardedRequest, PUBLIC } from './caller.js';
import { WarnOnce } from './warn-once.js';
import { UnreadBody } from './json-body.js';
import { isForeignOrigin, publicUrlOf } from './origin.js';

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

/**
 * Checks every HTTP request, in this order: it comes from one of our pages (unless its route is open to others), it has a session, guests may do this,
 * the path names the caller.
 * Sockets are checked at their handshake.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  private readonly originWarnings = new WarnOnce();

  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws Refused `request.cross-origin`, `auth.required`, `guest.read-only`, `actor.mismatch`; the code of an incomplete body */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const isSafe = SAFE_METHODS.includes(request.method);
    const mayBeForeign = isSafe || this.metadata<boolean>(ANY_ORIGIN, context) === true;
    if (!mayBeForeign && isForeignOrigin(request.headers, publicUrlOf(this.config))) throw this.crossOrigin(request);
    await this.identify(request, http.getResponse<FastifyReply>());
    if (!this.metadata<boolean>(PUBLIC, context)) callerOf(request);
    if (!isSafe && request.caller?.isGuest === true && !this.metadata<boolean>(GUEST_MAY, context)) throw new Refused('guest.read-only');
    const actorParam = this.metadata<string>(ACTOR_PARAM, context);
    if (actorParam !== undefined && paramOf(request, actorParam) !== callerOf(request).uid) throw new Refused('actor.mismatch');
    // Even if the handler ignores the body.
    if (request.body instanceof UnreadBody && request.body.isIncomplete) throw new Refused(request.body.code);
    return true;
  }

  /** Most likely the page was opened at another address than PUBLIC_URL, which neither its user nor the operator can guess. */
  private crossOrigin({ headers: { origin }, log }: GuardedRequest): Refused {
    const publicUrl = publicUrlOf(this.config);
    if (this.originWarnings.shouldWarn(origin ?? '')) log.warn({ origin, PUBLIC_URL: publicUrl }, 'request refused: its page was not opened at PUBLIC_URL');
    return new Refused('request.cross-origin', {
      detail: `${detailOf('request.cross-origin')} Roughmix is at ${publicUrl}; its operator sets this address as PUBLIC_URL.`,
    });
  }

  /** Sets the caller; sends the cookie again if the session was extended. */
  private async identify(request: GuardedRequest, reply: FastifyReply): Promise<void> {
    const { token, bearer } = tokenOf(request.headers, this.config.PUBLIC_URL);
    const session: ActiveSession | null = token === null ? null : await this.sessions.use(token);
    if (token === null || session === null) return;
    request.caller = session.caller;
    noteActor(session.caller.uid);
    if (session.renewed && !bearer) void reply.header('Set-Cookie', sessionCookie(token, this.config.PUBLIC_URL));
  }

  private metadata<Value>(key: string, context: ExecutionContext): Value | undefined {
    return this.reflector.getAllAndOverride<Value | undefined>(key, [context.getHandler(), context.getClass()]);
  }
}

const paramOf = (request: GuardedRequest, name: string): string | undefined => (request.params as Readonly<Record<string, string>>)[name];
