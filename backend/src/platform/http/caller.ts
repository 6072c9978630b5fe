import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { FastifyRequest } from 'fastify';
import { Refused } from '../../kernel/refusal.js';

/** The user of the request's session. */
export interface Caller {
  readonly uid: Uid;
  readonly isGuest: boolean;
  readonly sessionId: string;
}

/** A request that passed the guards; `caller` is missing without a session. */
export interface GuardedRequest extends FastifyRequest {
  caller?: Caller;
}

export const PUBLIC = 'roughmix:public';
export const GUEST_MAY = 'roughmix:guest-may';
export const ANY_ORIGIN = 'roughmix:any-origin';
export const ACTOR_PARAM = 'roughmix:actor-param';

/** Served without a session. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);
/** An unsafe method that guests may call as well. */
export const GuestMay = (): MethodDecorator & ClassDecorator => SetMetadata(GUEST_MAY, true);
/** An unsafe method that pages of other sites may call as well: only for calls that a secret in the path authorises, and that do nothing else. */
export const AnyOrigin = (): MethodDecorator => SetMetadata(ANY_ORIGIN, true);
/** The path parameter that must equal the session's uid, else 403 `actor.mismatch`. */
export const ActorParam = (name: string): MethodDecorator => SetMetadata(ACTOR_PARAM, name);

/** @throws Refused `auth.required` */
export function callerOf(request: GuardedRequest): Caller {
  if (request.caller === undefined) throw new Refused('auth.required');
  return request.caller;
}

/** Injects the caller into a controller's method. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<GuardedRequest>()),
);
