import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The value of `Preference-Applied` on a minimal answer. */
export const RETURN_MINIMAL = 'return=minimal';

/** The name and the value of one preference, in lower case; parameters follow a semicolon. Headers are split, not matched, to take linear time. */
function parsed(preference: string): { readonly name: string; readonly value: string } {
  const [pair = ''] = preference.split(';', 1);
  const [name = '', ...value] = pair.split('=').map((part) => part.trim().toLowerCase());
  return { name, value: unquoted(value.join('=')) };
}

const unquoted = (value: string): string => (value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value);

/** Whether a request prefers a minimal answer (RFC 7240, section 4.2). If `return` occurs several times, the first counts. */
export function prefersMinimal({ prefer }: IncomingHttpHeaders): boolean {
  const preferences = [prefer ?? []].flat().flatMap((header) => header.split(','));
  return preferences.map(parsed).find(({ name }) => name === 'return')?.value === 'minimal';
}

/** Injects {@link prefersMinimal} into a controller's method. */
export const PrefersMinimal = createParamDecorator((_data: unknown, context: ExecutionContext): boolean =>
  prefersMinimal(context.switchToHttp().getRequest<FastifyRequest>().headers),
);
