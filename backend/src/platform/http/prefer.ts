import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The value of `Preference-Applied` on a minimal answer. */
export const RETURN_MINIMAL = 'return=minimal';

/** Captures name and value of one preference; parameters follow a semicolon. */
const PREFERENCE = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*"?([^";]*?)"?\s*)?(?:;|$)/;

/** Whether a request prefers a minimal answer (RFC 7240, section 4.2). If `return` occurs several times, the first counts. */
export function prefersMinimal({ prefer }: IncomingHttpHeaders): boolean {
  const preferences = [prefer ?? []].flat().flatMap((header) => header.split(','));
  const named = preferences.map((preference) => PREFERENCE.exec(preference)).find((found) => found?.[1]?.toLowerCase() === 'return');
  return named?.[2]?.toLowerCase() === 'minimal';
}

/** Injects {@link prefersMinimal} into a controller's method. */
export const PrefersMinimal = createParamDecorator((_data: unknown, context: ExecutionContext): boolean =>
  prefersMinimal(context.switchToHttp().getRequest<FastifyRequest>().headers),
);
