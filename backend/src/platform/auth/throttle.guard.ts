import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type FailureCounter, Throttle } from './throttle.js';

const COUNTERS_OF = 'roughmix:counters-of';

type CountersOf = (throttle: Throttle, address: string) => readonly FailureCounter[];

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
    const countersOf = this.reflector.getAllAndOverride<CountersOf>(COUNTERS_OF, [context.getHandler(), context.getClass()]);
    await this.throttle.check(countersOf(this.throttle, ip));
    return true;
  }
}

/** For routes with a limit per address. The handler counts the attempts. */
export const ThrottledByAddress = (countersOf: CountersOf): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(COUNTERS_OF, countersOf), UseGuards(ThrottleGuard));
