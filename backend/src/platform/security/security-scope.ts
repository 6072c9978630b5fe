import { AsyncLocalStorage } from 'node:async_hooks';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { SecurityActor } from './security-event.js';

/** What the security log knows of the request or socket message under way. */
export interface SecurityScope {
  readonly requestId: string | null;
  readonly address: string;
  /** Null until the guards know it, and for visitors. */
  actor: SecurityActor;
  /** The account that a request without its session concerns, once known: a refusal then names it instead of the route. */
  concerns?: Uid;
}

const scopes = new AsyncLocalStorage<SecurityScope>();

/** Runs work as part of a request; also its asynchronous continuations. */
export const withSecurityScope = <Answer>(scope: SecurityScope, work: () => Answer): Answer => scopes.run(scope, work);

/** The scope of the request under way; undefined outside one. */
export const securityScope = (): SecurityScope | undefined => scopes.getStore();

/** Notes who makes the request under way. */
export function noteActor(actor: SecurityActor): void {
  const scope = securityScope();
  if (scope !== undefined) scope.actor = actor;
}

/** Notes which account the request under way concerns. */
export function noteConcerned(uid: Uid): void {
  const scope = securityScope();
  if (scope !== undefined) scope.concerns = uid;
}
