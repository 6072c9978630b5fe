/** The trace that a request belongs to (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The header as version 00 writes it: what events carry. */
  readonly traceparent: string;
}

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/;
const TRACE_ID_LENGTH = 32;

/**
 * Reads `traceparent`. Null when it is missing or not well formed: none is made then, the request's own id tells what belongs together. Of a later
 * version what 00 knows is read (W3C Trace Context, 4.3). `tracestate` is not read.
 */
export function traceContextOf(header: string | readonly string[] | undefined): TraceContext | null {
  const [, version, fields, more] = (typeof header === 'string' ? TRACEPARENT.exec(header) : null) ?? [];
  if (version === undefined || fields === undefined || (version === '00' && more !== undefined)) return null;
  return { traceId: fields.slice(0, TRACE_ID_LENGTH), traceparent: `00-${fields}` };
}
