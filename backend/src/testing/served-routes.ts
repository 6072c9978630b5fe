import 'reflect-metadata';
import diagnostics from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/**
 * Every route that a server started from now on registers, as `GET /api/comments/{ids}`. Read from Fastify itself, so it includes undocumented routes.
 * HEAD, which exists for every GET, is left out.
 */
export function servedRoutes(): ReadonlySet<string> {
  const routes = new Set<string>();
  diagnostics.subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) if (each !== 'HEAD') routes.add(`${each} ${url.replace(/:(\w+)/g, '{$1}')}`);
    });
  });
  return routes;
}

/** The message names that a gateway handles. */
export function messagesOf(gateway: { readonly prototype: object }): readonly string[] {
  const methods = Object.getOwnPropertyNames(gateway.prototype).map((name): unknown => Object.getOwnPropertyDescriptor(gateway.prototype, name)?.value);
  return methods.flatMap((method) => {
    const name: unknown = typeof method === 'function' ? Reflect.getMetadata('message', method) : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}
