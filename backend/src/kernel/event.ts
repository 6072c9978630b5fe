import type { Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';

/** What a decider answers: a fact in the past tense, before it is stored. `type` names it, `data` is plain JSON. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/** Who and what caused an event. Never holds a name, an address or a secret. */
export interface EventMeta {
  /** Who asked; null for the system itself (reactors). */
  readonly actorUid: Uid | null;
  readonly at: Instant;
  /** The command's id: the caller's `Idempotency-Key`, else one made on arrival. */
  readonly commandId: string;
  /** HMAC-SHA-256 (base64url) under a vault key over method, path and body: tells a reused key with another body. */
  readonly request?: string;
  readonly correlationId: string;
  /** The id of the event that a reactor answered to; null when a person acted. */
  readonly causationId: string | null;
  /** W3C trace context of the request, when it had one. */
  readonly traceparent?: string;
}

/** An event ready to be stored: it has its id (a UUID) and its metadata. */
export interface NewEvent<Type extends string = string, Data = unknown> extends DomainEvent<Type, Data> {
  readonly id: string;
  readonly meta: EventMeta;
}

/** An event as the log gives it back. A stream's first revision is 0; positions rise over the whole log. */
export interface StoredEvent<Type extends string = string, Data = unknown> extends NewEvent<Type, Data> {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}
