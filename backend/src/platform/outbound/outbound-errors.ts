/** Why a request was not sent: disabled by OUTBOUND=none, the form of the URL, a resolved address that is not public, or too many redirects. */
export type RefusedBecause = 'disabled' | 'form' | 'address' | 'redirects';

/** The rules for outgoing requests forbid this one. The message never contains the URL, which may hold a secret. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
  constructor(
    readonly because: RefusedBecause,
    detail: string,
  ) {
    super(`refused: ${detail}`);
  }
}

/** The request was allowed, but failed: no answer within the deadline, no connection, or an answer over the size limit. */
export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed';
}
