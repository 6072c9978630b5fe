/** What follows these in a path is a secret: the admin key, a reset token, the signature of an upload. */
const SECRET_PART = /((?:\/|%2f)(?:api(?:\/|%2f)+admin|passwordReset|api(?:\/|%2f)+storage(?:\/|%2f)+(?:put|get)))(?:\/|%2f|\\)+[^/?#]+/gi;

const UNREADABLE = '***';

/** An address as logs, metrics and problem bodies may show it: without the secrets that stand in paths, and without its query. */
export function redactUrl(url: string): string {
  const path = url.split('?')[0] ?? '';
  const readable = decoded(path);
  const redacted = readable.replace(SECRET_PART, '$1/***');
  return redacted === readable && readable !== UNREADABLE ? path : redacted;
}

/** Routers decode paths before they match: what is written `%61dmin` is as secret. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    // Not a path that any route can have.
    return UNREADABLE;
  }
}
