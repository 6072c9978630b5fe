import { RouteConfig } from '@nestjs/platform-fastify';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by {@link LongBody}. */
    bodyBytes?: number;
  }
}

/** For calls with long texts: their JSON may have this many bytes. All others take {@link LIMITS.shortJsonBytes}. */
export const LongBody = (bytes: number = LIMITS.jsonBytes): MethodDecorator => RouteConfig({ bodyBytes: bytes });

export const bodyBytesOf = ({ routeOptions }: FastifyRequest): number => routeOptions.config.bodyBytes ?? LIMITS.shortJsonBytes;
