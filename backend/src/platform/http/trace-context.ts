/** The trace that a request belongs to (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The header in the form of version 00, as stored in events. */
  readonly traceparent: string;
}

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/;
const TRACE_ID_LENGTH = 32;

/**
 * Parses `traceparent`. Null when it is missing or malformed; the request's id is the correlation id then. Of later versions only the fields of 00 are
 * read (W3C Trace Context, section 4.3). `tracestate` is ignored.
 */
export function traceContextOf(header: string | readonly string[] | undefined): TraceContext | null {
  const [, version, fields, more] = (typeof header === 'string' ? TRACEPARENT.exec(header) : null) ?? [];
  if (version === undefined || fields === undefined || (version === '00' && more !== undefined)) return null;
  return { traceId: fields.slice(0, TRACE_ID_LENGTH), traceparent: `00-${fields}` };
}
