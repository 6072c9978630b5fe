import type { IncomingHttpHeaders } from 'node:http';

/** A session ends after 30 days without use. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

const isSecure = (publicUrl: string | null): boolean => publicUrl?.startsWith('https:') ?? false;

/** The name of one of our cookies. Over TLS it has the prefix `__Host-`, with which browsers bind a cookie to this host. */
export const cookieName = (name: string, publicUrl: string | null): string => (isSecure(publicUrl) ? `__Host-${name}` : name);

/** The name of the cookie that holds a session's token. */
export const sessionCookieName = (publicUrl: string | null): string => cookieName('roughmix_session', publicUrl);

/**
 * The value of `Set-Cookie` for a cookie that scripts cannot read and requests from other sites do not carry.
 * @param value only letters, digits and `-_.~`, which need no encoding
 * @param seconds 0 removes the cookie
 */
export const protectedCookie = (name: string, value: string, seconds: number, publicUrl: string | null): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; ${isSecure(publicUrl) ? 'Secure; ' : ''}SameSite=Lax`;

/** The value of `Set-Cookie` that stores a session's token. */
export const sessionCookie = (token: string, publicUrl: string | null): string =>
  protectedCookie(sessionCookieName(publicUrl), token, SESSION_SECONDS, publicUrl);

/** The value of `Set-Cookie` that removes the session's token. */
export const clearedSessionCookie = (publicUrl: string | null): string => protectedCookie(sessionCookieName(publicUrl), '', 0, publicUrl);

/** The first cookie of that name in a request, or null. Our cookies are never encoded. */
export function cookieOf(headers: IncomingHttpHeaders, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
