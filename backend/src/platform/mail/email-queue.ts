import type { MailStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { isOneAddress, nameOfKey } from './email-message.js';
import { type EmailRecord, EMAILS, type UndeliveredEmail, type WaitingEmail } from './email-records.js';
import { type Email, EmailRefused } from './mailer.js';

const PAGE = 500;
/** How long the records of delivered and undeliverable e-mails, and so their keys, are retained. */
const RETENTION_MS = 30 * 24 * 60 * 60_000;

/** Addresses are compared case-insensitively. */
const normalized = (address: string): string => address.normalize('NFC').trim().toLowerCase();

const earliest = (instants: readonly Instant[]): Instant | null => instants.reduce<Instant | null>((first, each) => Math.min(first ?? each, each), null);

/** E-mails waiting for delivery, stored in the vault only. Queueing a key again changes nothing; delivery is at least once (ADR 26). */
export class EmailQueue {
  private readonly listeners = new Set<() => void>();

  private constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  static async open(vault: Vault, clock: Clock): Promise<EmailQueue> {
    await vault.declare({ name: EMAILS, indexes: ['state', 'uid', 'address'] });
    return new EmailQueue(vault, clock);
  }

  /**
   * Queues an e-mail; durable when it resolves.
   * @param uid the user it belongs to; it is deleted with them
   * @returns its id, which its Message-ID begins with
   * @throws EmailRefused if `to` is not exactly one address; ServiceUnavailable, DiskFull: nothing is queued
   */
  async enqueue(email: Email, uid: Uid | null = null): Promise<string> {
    if (!isOneAddress(email.to)) throw new EmailRefused('the recipient must be exactly one e-mail address');
    const { to, subject, text, key } = email;
    const [id, now] = [nameOfKey(key), this.clock()];
    const record = { state: 'waiting', to, subject, text, key, uid, address: normalized(to), writtenAt: now, dueAt: now, tries: 0, reason: null } as const;
    await this.vault.insert(EMAILS, id, record satisfies WaitingEmail);
    for (const listener of this.listeners) listener();
    return id;
  }

  /** Calls `listener` whenever this process queues an e-mail. @returns a function that unsubscribes */
  onEnqueued(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The waiting e-mails of all processes. */
  waiting(): Promise<readonly VaultRecord<WaitingEmail>[]> {
    return this.inState<WaitingEmail>('waiting');
  }

  async status(): Promise<MailStatus> {
    const [waiting, undelivered] = await Promise.all([this.waiting(), this.inState<UndeliveredEmail>('undelivered')]);
    return {
      waiting: waiting.length,
      oldest: earliest(waiting.map(({ body }) => body.writtenAt)),
      lastReason: waiting.toSorted((a, b) => b.body.tries - a.body.tries)[0]?.body.reason ?? null,
      undelivered: undelivered.map(({ id, body: { to, writtenAt, endedAt, tries, reason } }) => ({ letter: id, to, writtenAt, endedAt, tries, reason })),
    };
  }

  /** Deletes a user's e-mails in any state, by uid and by address. */
  async forget(uid: Uid, address: string | null): Promise<void> {
    await this.vault.removeWhere(EMAILS, 'uid', uid);
    if (address !== null) await this.vault.removeWhere(EMAILS, 'address', normalized(address));
  }

  /** Replaces the record unless it has changed since it was read, so a deleted e-mail stays deleted. */
  async replace({ id, version }: VaultRecord<WaitingEmail>, record: EmailRecord): Promise<void> {
    await this.vault.replace(EMAILS, id, version, record);
  }

  /** Removes records whose retention has ended. */
  async sweep(): Promise<void> {
    for (const state of ['sent', 'undelivered'] as const) {
      for (const { id, version, body } of await this.inState<EmailRecord & { readonly endedAt: Instant }>(state)) {
        if (body.endedAt < this.clock() - RETENTION_MS) await this.vault.remove(EMAILS, id, version);
      }
    }
  }

  private async inState<Record extends EmailRecord>(state: EmailRecord['state']): Promise<readonly VaultRecord<Record>[]> {
    const found: VaultRecord<Record>[] = [];
    for (let afterId = ''; ;) {
      const page = await this.vault.find<Record>(EMAILS, { field: 'state', value: state, afterId, limit: PAGE });
      found.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return found;
      afterId = last.id;
    }
  }
}
