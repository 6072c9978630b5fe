import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import { EmailQueue } from '../mail/email-queue.js';
import { CLOCK, VAULT } from '../tokens.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { type Attempt, Throttle } from './throttle.js';

const COLLECTION = 'link-tokens';
const TOKEN_BYTES = 32;
const HOUR_MS = 60 * 60_000;
const PAGE = 500;
/** The id and the hash of records without a token. No token has this hash. */
const NONE = 'none';

/** What a link is for; a user has at most one valid link of each kind. */
export type LinkKind = 'reset' | 'invite';

interface LinkRecord extends Record<string, unknown> {
  readonly kind: LinkKind;
  readonly uid: Uid;
  /** SHA-256 of the token, which is not stored. */
  readonly hash: string;
  readonly expiresAt: Instant;
  /** When links were issued in the last hour. */
  readonly issued: readonly Instant[];
  /** The session that the last use of an invite link started. */
  readonly sessionId: string | null;
}

/** A new link, for one e-mail. */
export interface IssuedLink {
  /** 256 bits, base64url. */
  readonly token: string;
  readonly expiresAt: Instant;
  /** The key of the e-mail that carries it: the e-mail is withdrawn when the link becomes invalid. */
  readonly emailKey: string;
}

/** A valid link that was presented. */
export type FoundLink = VaultRecord<LinkRecord>;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
const idOf = (kind: LinkKind, uid: Uid): string => `${kind}:${uid}`;
const emailKeyOf = ({ kind, hash }: Pick<LinkRecord, 'kind' | 'hash'>): string => `${kind}-${hash}`;

/** The tokens of e-mailed links, stored hashed. A newer link of a user replaces the earlier one of its kind. */
@Injectable()
export class LinkTokens {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly emailQueue: EmailQueue,
    private readonly throttle: Throttle,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: COLLECTION, indexes: ['hash', 'uid'] });
  }

  /**
   * Issues a link in place of the user's earlier one.
   * @param perHour how many links a user may get in an hour
   * @returns null beyond that; the last link stays valid
   */
  async issue(kind: LinkKind, uid: Uid, { validMs, perHour = Infinity }: { readonly validMs: number; readonly perHour?: number }): Promise<IssuedLink | null> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    for (;;) {
      const now = this.clock();
      const found = await this.vault.get<LinkRecord>(COLLECTION, idOf(kind, uid));
      const recent = (found?.body.issued ?? []).filter((at) => at > now - HOUR_MS);
      if (recent.length >= perHour) return null;
      const { expiresAt, hash } = { expiresAt: now + validMs, hash: hashOf(token) };
      const issued = perHour === Infinity ? [] : [...recent, now];
      const written = await this.write(found, { kind, uid, hash, expiresAt, issued, sessionId: found?.body.sessionId ?? null });
      if (!written) continue;
      if (found !== null) await this.withdrawEmail(found.body);
      return { token, expiresAt, emailKey: emailKeyOf({ kind, hash }) };
    }
  }

  /** Costs as much as issuing a link and queueing its e-mail, so that the time of an answer does not reveal who has an account. */
  async issueNone(kind: LinkKind): Promise<void> {
    const none: LinkRecord = { kind, uid: NONE, hash: NONE, expiresAt: 0, issued: [], sessionId: null };
    void hashOf(randomBytes(TOKEN_BYTES).toString('base64url'));
    await this.vault.get(COLLECTION, NONE);
    for (let writes = 0; writes < 2; writes += 1) await this.vault.put(COLLECTION, NONE, none);
  }

  /** The link with this token; null if there is none, or it was replaced, revoked or has expired. */
  async find(kind: LinkKind, token: string): Promise<FoundLink | null> {
    const [found] = await this.vault.find<LinkRecord>(COLLECTION, { field: 'hash', value: hashOf(token), limit: 1 });
    return found?.body.kind === kind && this.clock() < found.body.expiresAt ? found : null;
  }

  /** As {@link find}, for a token that a client sent: one that is not valid counts as a miss of the client's address. @throws Throttled */
  async present(kind: LinkKind, token: string, address: string): Promise<FoundLink | null> {
    const miss = await this.countMiss(address);
    const found = await this.find(kind, token);
    if (found !== null) await miss.refund();
    return found;
  }

  /** Counts a request for a link, or a token, that may turn out to be a guess. @throws Throttled */
  countMiss(address: string): Promise<Attempt> {
    return this.throttle.attempt(this.throttle.resetMissesOfAddress(address));
  }

  /** Notes the session that a use of the link started; false if the link changed since it was found. */
  noteSession({ id, version, body }: FoundLink, sessionId: string): Promise<boolean> {
    return this.vault.replace(COLLECTION, id, version, { ...body, sessionId });
  }

  /** Invalidates a user's link of a kind. */
  async revoke(kind: LinkKind, uid: Uid): Promise<void> {
    for (;;) {
      const found = await this.vault.get<LinkRecord>(COLLECTION, idOf(kind, uid));
      if (found === null || found.body.hash === NONE || (await this.invalidate(found))) return;
    }
  }

  /** Invalidates a user's links of every kind but one. */
  async revokeAllBut(spared: LinkKind, uid: Uid): Promise<void> {
    const found = await this.vault.find<LinkRecord>(COLLECTION, { field: 'uid', value: uid });
    const kinds = new Set(found.map(({ body }) => body.kind));
    for (const kind of kinds) if (kind !== spared) await this.revoke(kind, uid);
  }

  /** Deletes everything about a user's links. */
  async forget(uid: Uid): Promise<void> {
    await this.vault.removeWhere(COLLECTION, 'uid', uid);
  }

  /** Removes records of expired links; the limit per hour outlives a link that was revoked. */
  async sweep(): Promise<void> {
    for (let afterId = ''; ;) {
      const page = await this.vault.find<LinkRecord>(COLLECTION, { afterId, limit: PAGE });
      for (const { id, version, body } of page) {
        const isOver = body.expiresAt <= this.clock() && body.issued.every((at) => at <= this.clock() - HOUR_MS);
        if (isOver) await this.vault.remove(COLLECTION, id, version);
      }
      const last = page.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }

  private write(found: FoundLink | null, record: LinkRecord): Promise<boolean> {
    const id = idOf(record.kind, record.uid);
    return found === null ? this.vault.insert(COLLECTION, id, record) : this.vault.replace(COLLECTION, id, found.version, record);
  }

  private async invalidate({ id, version, body }: FoundLink): Promise<boolean> {
    if (!(await this.vault.replace(COLLECTION, id, version, { ...body, hash: NONE }))) return false;
    await this.withdrawEmail(body);
    return true;
  }

  private async withdrawEmail(record: LinkRecord): Promise<void> {
    if (record.hash !== NONE) await this.emailQueue.cancel(emailKeyOf(record));
  }
}
