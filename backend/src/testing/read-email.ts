/** A message of ours (RFC 5322 with MIME), decoded. */
export interface ReadEmail {
  /** By lower-cased name, unfolded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** '' if the message is plain text. */
  readonly html: string;
}

interface Part {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Decodes what our mailers compose: one part, or a text with an HTML alternative. */
export function readEmail(message: string): ReadEmail {
  const { headers, body } = partOf(message);
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return { headers, text: decoded({ headers, body }), html: '' };
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
  const ofType = (type: string): string => parts.filter((part) => part.headers['content-type']?.startsWith(type)).map(decoded)[0] ?? '';
  return { headers, text: ofType('text/plain'), html: ofType('text/html') };
}

function partOf(source: string): Part {
  const end = source.indexOf('\r\n\r\n');
  const unfolded = source.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
  const headers = Object.fromEntries(
    unfolded.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { headers, body: source.slice(end + 4) };
}

function decoded({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding'];
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
