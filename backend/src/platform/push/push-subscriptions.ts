import { createECDH } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { FieldProblem } from '@roughmix/contracts/shared/problems.js';
import { Refused } from '../../kernel/refusal.js';
import { changeSession, type SessionRecord, sessionsWhere } from '../auth/session-record.js';
import { VaultKeys } from '../auth/vault-keys.js';
import type { Clock } from '../clock.js';
import type { Caller } from '../http/caller.js';
import { idFrom } from '../ids.js';
import { Outbound } from '../outbound/outbound.js';
import { PUSH_TARGETS } from '../outbound/outbound-target.js';
import { decrypt, encrypt } from '../personal-data/aes-gcm.js';
import { derivedKey } from '../personal-data/derived-key.js';
import type { Logger } from '../logger.js';
import { CLOCK, LOG, VAULT } from '../tokens.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { VAPID_CURVE } from './vapid.js';

const NOT_ON_CURVE: FieldProblem = { field: 'keys.p256dh', code: 'isOnCurve', detail: 'p256dh must be a point on the curve P-256' };

/** Where a browser gets push messages, and the keys (base64url) that encrypt them. The endpoint's path is a secret: who knows it can send. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushSubscription extends PushTarget {
  readonly id: Id;
}

type Subscribed = VaultRecord<SessionRecord & Required<Pick<SessionRecord, 'push'>>>;

const isSubscribed = (session: VaultRecord<SessionRecord>): session is Subscribed => session.body.push !== undefined;
const idOf = (endpoint: string): Id => idFrom('push-subscription', endpoint);
const contextOf = (id: Id): string => `push-subscription-${id}`;
const withoutPush = ({ push: _push, ...session }: SessionRecord): SessionRecord => session;

/** The subscription that was sent last comes first. */
const newestFirst = (one: Subscribed, other: Subscribed): number => other.body.push.sentAt - one.body.push.sentAt || (one.id < other.id ? 1 : -1);

function isOnCurve(p256dh: string): boolean {
  const curve = createECDH(VAPID_CURVE);
  curve.generateKeys();
  try {
    curve.computeSecret(p256dh, 'base64url');
    return true;
  } catch {
    // Not a point of the curve.
    return false;
  }
}

/** The browsers that get push messages. A subscription is stored in its session, sealed, so it ends with the session, however that ends. */
@Injectable()
export class PushSubscriptions {
  private readonly key: Buffer;

  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly outbound: Outbound,
    keys: VaultKeys,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.key = derivedKey(keys.key('push'), 'roughmix push subscriptions 1');
  }

  /**
   * Subscribes the caller's browser in place of what its session had; takes the endpoint from any other session.
   * @returns an id that follows from the endpoint
   * @throws Refused `request.invalid` for a key that is no point of the curve, `push.endpoint-refused`, `auth.required` if the session has just ended
   */
  async add({ uid, sessionId }: Caller, target: PushTarget): Promise<Id> {
    if (!isOnCurve(target.p256dh)) throw new Refused('request.invalid', { errors: [NOT_ON_CURVE] });
    if (!this.outbound.hasAllowedForm(target.endpoint, PUSH_TARGETS)) throw new Refused('push.endpoint-refused', { field: 'endpoint' });
    const id = idOf(target.endpoint);
    const push = { id, sentAt: this.clock(), sealed: this.seal(id, target) };
    if (!(await changeSession(this.vault, sessionId, (session) => ({ ...session, push })))) throw new Refused('auth.required');
    await this.endAllBut(1, await this.where('push.id', id));
    await this.endAllBut(LIMITS.pushSubscriptions, await this.where('uid', uid));
    return id;
  }

  /** Ends the user's subscription with this endpoint, if there is one. */
  async remove(uid: Uid, endpoint: string): Promise<void> {
    const found = await this.where('push.id', idOf(endpoint));
    await this.end(found.filter(({ body }) => body.uid === uid));
  }

  /** Ends a subscription that its push service no longer knows. */
  async forget(id: Id): Promise<void> {
    await this.end(await this.where('push.id', id));
  }

  /** A user's subscriptions; empty if they get push messages nowhere. One that cannot be decrypted ends, so that the others get theirs. */
  async of(uid: Uid): Promise<readonly PushSubscription[]> {
    const now = this.clock();
    const valid = (await this.where('uid', uid)).filter(({ body }) => body.expiresAt > now);
    // A session that was being renamed when the program was killed has its endpoint twice.
    const found = new Map<Id, PushSubscription>();
    for (const session of valid) {
      const { id, sealed } = session.body.push;
      const target = this.open(id, sealed);
      if (target === null) await this.endUnreadable(session);
      else found.set(id, { id, ...target });
    }
    return [...found.values()];
  }

  private async endUnreadable(session: Subscribed): Promise<void> {
    this.log.error({ subscription: session.body.push.id }, 'push subscription ended: it cannot be decrypted');
    await this.end([session]);
  }

  private async where(field: 'uid' | 'push.id', value: string): Promise<readonly Subscribed[]> {
    return (await sessionsWhere(this.vault, field, value)).filter(isSubscribed);
  }

  private async endAllBut(most: number, subscribed: readonly Subscribed[]): Promise<void> {
    await this.end(subscribed.toSorted(newestFirst).slice(most));
  }

  /** Ends these subscriptions, unless their sessions have got others meanwhile. */
  private async end(subscribed: readonly Subscribed[]): Promise<void> {
    for (const { id, body } of subscribed) {
      await changeSession(this.vault, id, (session) => (session.push?.sealed === body.push.sealed ? withoutPush(session) : session));
    }
  }

  private seal(id: Id, { endpoint, p256dh, auth }: PushTarget): string {
    return encrypt(this.key, contextOf(id), JSON.stringify({ endpoint, p256dh, auth }));
  }

  /** Null for one that was changed, or sealed under another key. */
  private open(id: Id, sealed: string): PushTarget | null {
    try {
      return JSON.parse(decrypt(this.key, contextOf(id), sealed).toString('utf8')) as PushTarget;
    } catch {
      return null;
    }
  }
}
