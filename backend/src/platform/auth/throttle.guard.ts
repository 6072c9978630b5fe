import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type FailureCounter, Throttle } from './throttle.js';

const COUNTER_OF = 'roughmix:counter-of';

type CounterOf = (throttle: Throttle, address: string) => FailureCounter;

/** Refuses addresses that have reached a limit, before their request's body is looked at. */
@Injectable()
export class ThrottleGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly throttle: Throttle,
  ) {}

  /** @throws Throttled */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { ip } = context.switchToHttp().getRequest<FastifyRequest>();
    const counterOf = this.reflector.getAllAndOverride<CounterOf>(COUNTER_OF, [context.getHandler(), context.getClass()]);
    await this.throttle.check([counterOf(this.throttle, ip)]);
    return true;
  }
}

/** For routes with a limit per address. The handler counts the attempts. */
export const ThrottledByAddress = (counterOf: CounterOf): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(COUNTER_OF, counterOf), UseGuards(ThrottleGuard));
