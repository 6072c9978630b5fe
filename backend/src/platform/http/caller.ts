import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { FastifyRequest } from 'fastify';
import { Refused } from '../../kernel/refusal.js';

/** Who calls, known by the session alone. */
export interface Caller {
  readonly uid: Uid;
  readonly isGuest: boolean;
  readonly sessionId: string;
}

/** A request after the guards have looked at it. */
export interface KnownRequest extends FastifyRequest {
  caller?: Caller;
}

export const PUBLIC = 'roughmix:public';
export const GUEST_MAY = 'roughmix:guest-may';
export const ACTOR_PARAM = 'roughmix:actor-param';

/** Served without a session. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);
/** An unsafe method that the guest may call too. */
export const GuestMay = (): MethodDecorator & ClassDecorator => SetMetadata(GUEST_MAY, true);
/** The path parameter that names the caller: 403 `actor.mismatch` when it is not the session's uid. */
export const ActorParam = (name: string): MethodDecorator => SetMetadata(ACTOR_PARAM, name);

/** The caller of a request. @throws Refused `auth.required` */
export function callerOf(request: KnownRequest): Caller {
  if (request.caller === undefined) throw new Refused('auth.required');
  return request.caller;
}

/** Hands the caller to a controller's method. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<KnownRequest>()),
);
