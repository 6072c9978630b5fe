import type { FastifyRequest } from 'fastify';
import { ID_FORM } from '@roughmix/contracts/shared/ids.js';

/** Path parameters that hold secrets. */
const SECRET_PARAMS: readonly string[] = ['key', 'token'];

/**
 * A request as a target of the security log: `PUT /api/comments/1xBk…`. Only ids are filled in; keys, tokens and everything else that a client may have
 * typed into a path stay `:name`, and the query is left out.
 */
export function routeTarget({ method, routeOptions, params }: Pick<FastifyRequest, 'method' | 'routeOptions' | 'params'>): string {
  const values = params as Readonly<Record<string, unknown>>;
  const filled = (routeOptions.url ?? '*').split('/').map((part) => {
    const name = part.slice(1);
    const value = part.startsWith(':') && !SECRET_PARAMS.includes(name) ? values[name] : null;
    return typeof value === 'string' && ID_FORM.test(value) ? value : part;
  });
  return `${method} ${filled.join('/')}`;
}
