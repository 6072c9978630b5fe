import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The value of `Preference-Applied` for an answer that honours it. */
export const RETURN_MINIMAL = 'return=minimal';

/** Name and value of one preference; what follows a semicolon are its parameters. */
const PREFERENCE = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*"?([^";]*?)"?\s*)?(?:;|$)/;

/** Whether a request prefers a minimal answer (RFC 7240, section 4.2). The first of several preferences of one name counts. */
export function prefersMinimal({ prefer }: IncomingHttpHeaders): boolean {
  const preferences = [prefer ?? []].flat().flatMap((header) => header.split(','));
  const named = preferences.map((preference) => PREFERENCE.exec(preference)).find((found) => found?.[1]?.toLowerCase() === 'return');
  return named?.[2]?.toLowerCase() === 'minimal';
}

/** Hands a controller's method whether the request prefers a minimal answer. */
export const PrefersMinimal = createParamDecorator((_data: unknown, context: ExecutionContext): boolean =>
  prefersMinimal(context.switchToHttp().getRequest<FastifyRequest>().headers),
);
