/** The path segment after these is a secret: the admin key, a reset, invite or unsubscribe token, the signature of a file's URL. */
const SECRET_SEGMENT =
  /((?:\/|%2f)(?:api(?:\/|%2f)+admin|passwordReset|invite|unsubscribe|api(?:\/|%2f)+storage(?:\/|%2f)+(?:put|get)))(?:\/|%2f|\\)+[^/?#]+/gi;

const UNDECODABLE = '***';

/** The path of a URL without secrets, for logs, metrics and problem bodies. */
export function redactUrl(url: string): string {
  const path = url.split('?')[0] ?? '';
  const decoded = decode(path);
  const redacted = decoded.replace(SECRET_SEGMENT, '$1/***');
  return redacted === decoded && decoded !== UNDECODABLE ? path : redacted;
}

/** Routers match decoded paths, so `%61dmin` is `admin` as well. */
function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    // No route matches such a path.
    return UNDECODABLE;
  }
}
