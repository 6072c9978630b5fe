import type { IncomingHttpHeaders } from 'node:http';

/** How long a session lives without being used, in seconds: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

const isSecure = (publicUrl: string | null): boolean => publicUrl?.startsWith('https:') ?? false;

/** The name of a cookie of ours; over TLS browsers bind it to this host by its name. */
export const cookieName = (name: string, publicUrl: string | null): string => (isSecure(publicUrl) ? `__Host-${name}` : name);

/** The name of the cookie that holds a session's token. */
export const sessionCookieName = (publicUrl: string | null): string => cookieName('roughmix_session', publicUrl);

/**
 * The text of `Set-Cookie` for a cookie that pages cannot read and other sites cannot send.
 * @param value letters, digits and `-_.~`: what a cookie may hold as it is
 * @param seconds 0 removes it
 */
export const protectedCookie = (name: string, value: string, seconds: number, publicUrl: string | null): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; ${isSecure(publicUrl) ? 'Secure; ' : ''}SameSite=Lax`;

/** The text of `Set-Cookie` that keeps a session's token in the browser. */
export const sessionCookie = (token: string, publicUrl: string | null): string =>
  protectedCookie(sessionCookieName(publicUrl), token, SESSION_SECONDS, publicUrl);

/** The text of `Set-Cookie` that takes a session's token out of the browser. */
export const clearedSessionCookie = (publicUrl: string | null): string => protectedCookie(sessionCookieName(publicUrl), '', 0, publicUrl);

/** The value of one cookie of a request, the first of its name; null without it. Cookies of ours are never encoded. */
export function cookieOf(headers: IncomingHttpHeaders, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
