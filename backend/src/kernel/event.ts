import type { Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';

/** A fact in the past tense, as a decider returns it: `type` names it, `data` is plain JSON. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/** Who and what caused an event. Never contains names, e-mail addresses or secrets. */
export interface EventMeta {
  /** Who issued the command; null for the system (reactors). */
  readonly actorUid: Uid | null;
  readonly at: Instant;
  /** The command's id: the caller's `Idempotency-Key`, or one generated on arrival. */
  readonly commandId: string;
  /** Which of its appends an event belongs to, for a command with several; absent for the first. A repeat runs only those that are missing. */
  readonly part?: string;
  /** HMAC-SHA-256 (base64url) under a vault key over method, path and body: detects a key reused with another body. */
  readonly request?: string;
  readonly correlationId: string;
  /** The id of the event that a reactor reacted to; null when a person acted. */
  readonly causationId: string | null;
  /** W3C trace context of the request, when it had one. */
  readonly traceparent?: string;
}

/** An event ready to be stored, with its id (a UUID) and metadata. */
export interface NewEvent<Type extends string = string, Data = unknown> extends DomainEvent<Type, Data> {
  readonly id: string;
  readonly meta: EventMeta;
}

/** An event as read from the log. A stream's first revision is 0; positions rise across the whole log. */
export interface StoredEvent<Type extends string = string, Data = unknown> extends NewEvent<Type, Data> {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}
