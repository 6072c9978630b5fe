import { createHmac } from 'node:crypto';
import type { MailStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Document } from '../documents/documents.js';
import type { Clock } from '../clock.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { checkAddresses, nameOfKey } from './email-message.js';
import { EmailSeal } from './email-seal.js';
import { type EmailRecord, EMAILS, givenUpUnopened, type QueuedEmail, type UndeliveredEmail, type WaitingEmail } from './email-records.js';
import type { Email, EmailFiles } from './mailer.js';
import type { ReminderFacts } from './templates/mailing-emails.js';

const PAGE = 500;
/** How long the records of delivered and undeliverable e-mails, and so their keys, are retained. */
const RETENTION_MS = 30 * 24 * 60 * 60_000;
/** Reported as the receiver of an e-mail whose receiver cannot be decrypted. */
const UNREADABLE = '[unreadable]';

/** Addresses are compared case-insensitively. */
const normalized = (address: string): string => address.normalize('NFC').trim().toLowerCase();

const earliest = (instants: readonly Instant[]): Instant | null => instants.reduce<Instant | null>((first, each) => Math.min(first ?? each, each), null);

/** An e-mail to queue. */
export interface NewEmail extends Omit<Email, 'date'> {
  /** When its link becomes invalid; it is not sent after that. */
  readonly expiresAt?: Instant;
  /** Of a reminder: its text is made again when it is sent, which may be much later. */
  readonly reminder?: ReminderFacts;
}

/** Whom an e-mail belongs to, apart from its receiver's address: it is deleted with that user, and with the address of the person whom it is about. */
export interface EmailSubject {
  readonly uid?: Uid;
  readonly about?: string;
  /** Others whom it names or quotes: it is deleted with each of them. */
  readonly names?: readonly Uid[];
  /** Mailings only: the user whose actions caused it. Mailings are delivered after account e-mails, and these users take turns. */
  readonly causedBy?: Uid;
}

export interface EmailQueueDeps {
  readonly vault: Vault;
  readonly clock: Clock;
  /** The key of the hashes by which the e-mails of an address are found; the key that seals e-mails is derived from it. */
  readonly addressKey: Buffer;
  /** The files of delivered e-mails; null if there are none. */
  readonly files: EmailFiles | null;
}

/** E-mails waiting for delivery, stored in the vault only, with receiver and text sealed. Queueing a key again changes nothing; delivery is at least once (ADR 26). */
export class EmailQueue {
  private readonly listeners = new Set<(subject: EmailSubject) => void>();

  private readonly seal: EmailSeal;

  private constructor(private readonly deps: EmailQueueDeps) {
    this.seal = new EmailSeal(deps.addressKey);
  }

  static async open(deps: EmailQueueDeps): Promise<EmailQueue> {
    await deps.vault.declare({ name: EMAILS, indexes: ['state', 'uid', 'address', 'about'] });
    return new EmailQueue(deps);
  }

  /**
   * Queues an e-mail; durable when it resolves.
   * @returns its id, which its Message-ID begins with
   * @throws EmailRefused if `to` or `replyTo` is not exactly one address; ServiceUnavailable, DiskFull: nothing is queued
   */
  async enqueue(email: NewEmail, subject: EmailSubject = {}): Promise<string> {
    checkAddresses(email);
    const { vault, clock } = this.deps;
    const [id, now] = [nameOfKey(email.key), clock()];
    const { about, ...others } = subject;
    const owner = { uid: null, ...others, address: this.hashOf(email.to), ...(about === undefined ? {} : { about: this.hashOf(about) }) };
    const attempts = { state: 'waiting', writtenAt: now, dueAt: now, tries: 0, reason: null } as const;
    await vault.insert(EMAILS, id, this.seal.seal(id, { ...email, ...owner, ...attempts } satisfies WaitingEmail));
    for (const listener of this.listeners) listener(subject);
    return id;
  }

  /** Withdraws an e-mail whose delivery has not succeeded yet, for example because its link was replaced. A delivery in progress goes on. */
  async cancel(id: string): Promise<void> {
    const found = await this.deps.vault.get<EmailRecord>(EMAILS, id);
    if (found?.body.state === 'waiting') await this.deps.vault.remove(EMAILS, id, found.version);
  }

  /** Calls `listener` whenever this process queues an e-mail. @returns a function that unsubscribes */
  onEnqueued(listener: (subject: EmailSubject) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The waiting e-mails of all processes, sealed as they are stored. */
  waiting(): Promise<readonly VaultRecord<QueuedEmail>[]> {
    return this.where<QueuedEmail>('state', 'waiting');
  }

  /** Whether an e-mail is stored as it was read: it may have been cancelled, deleted or tried since. */
  async isUnchanged({ id, version }: VaultRecord<QueuedEmail>): Promise<boolean> {
    return (await this.deps.vault.get(EMAILS, id))?.version === version;
  }

  /** A waiting e-mail with its receiver and text; null if it cannot be decrypted: it was changed, or sealed under another key. */
  open(queued: VaultRecord<QueuedEmail>): VaultRecord<WaitingEmail> | null {
    const body = this.opened<WaitingEmail>(queued);
    return body === null ? null : { ...queued, body };
  }

  async status(): Promise<MailStatus> {
    const [waiting, undelivered] = await Promise.all([this.waiting(), this.where<UndeliveredEmail>('state', 'undelivered')]);
    return {
      waiting: waiting.length,
      oldest: earliest(waiting.map(({ body }) => body.writtenAt)),
      lastReason: waiting.toSorted((a, b) => b.body.tries - a.body.tries)[0]?.body.reason ?? null,
      undelivered: undelivered.map((record) => {
        const { writtenAt, endedAt, tries, reason } = record.body;
        return { letter: record.id, to: this.opened<UndeliveredEmail>(record)?.to ?? UNREADABLE, writtenAt, endedAt, tries, reason };
      }),
    };
  }

  /** Deletes the e-mails of a user, those that name them, and those to or about an address, in any state, with their files. Either may be null. */
  async forget(uid: Uid | null, address: string | null): Promise<void> {
    if (uid !== null) {
      await this.forgetWhere('uid', uid);
      await this.forgetNaming(uid);
    }
    if (address === null) return;
    for (const field of ['address', 'about']) await this.forgetWhere(field, this.hashOf(address));
    await this.forgetWhere('address', normalized(address));
  }

  /** Deletes one e-mail in any state, with its file. */
  async discard(id: string): Promise<void> {
    await this.deps.files?.remove([id]);
    await this.deps.vault.remove(EMAILS, id);
    // If it was delivered in between.
    await this.deps.files?.remove([id]);
  }

  /** Replaces the record unless it has changed since it was read, so a deleted e-mail stays deleted, with its file. */
  async replace({ id, version }: VaultRecord<WaitingEmail>, record: EmailRecord): Promise<void> {
    const { vault, files } = this.deps;
    if (await vault.replace(EMAILS, id, version, this.seal.seal(id, record))) return;
    if ((await vault.get(EMAILS, id)) === null) await files?.remove([id]);
  }

  /** Gives up an e-mail that cannot be decrypted, unless its record has changed since it was read. */
  async giveUpUnopened({ id, version, body }: VaultRecord<QueuedEmail>, reason: string): Promise<void> {
    await this.deps.vault.replace(EMAILS, id, version, givenUpUnopened(body, { reason, endedAt: this.deps.clock() }));
  }

  /** Removes records whose retention has ended, old files, and files of e-mails that another process deleted. */
  async sweep(): Promise<void> {
    const { vault, clock, files } = this.deps;
    for (const state of ['sent', 'undelivered'] as const) {
      for (const { id, version, body } of await this.where<EmailRecord & { readonly endedAt: Instant }>('state', state)) {
        if (body.endedAt < clock() - RETENTION_MS) await vault.remove(EMAILS, id, version);
      }
    }
    if (files === null) return;
    await files.sweep(clock());
    for (const id of await files.ids()) if ((await vault.get(EMAILS, id)) === null) await files.remove([id]);
  }

  private async forgetWhere(field: string, value: string): Promise<void> {
    const ids = (await this.where(field, value)).map(({ id }) => id);
    await this.deps.files?.remove(ids);
    await this.deps.vault.removeWhere(EMAILS, field, value);
    // Those delivered in between.
    await this.deps.files?.remove(ids);
  }

  /** Reads all e-mails of the last 30 days: erasures are rare, and an index by each name would be written with every e-mail. */
  private async forgetNaming(uid: Uid): Promise<void> {
    for (const { id, body } of await this.where<EmailRecord>()) if (body.names?.includes(uid) === true) await this.discard(id);
  }

  /** Null for a record that cannot be decrypted: it must not keep the others from being sent or reported. */
  private opened<Kind extends EmailRecord>({ id, body }: VaultRecord): Kind | null {
    try {
      return this.seal.open<Kind>(id, body);
    } catch {
      return null;
    }
  }

  /** Without a field: all. */
  private async where<Record extends Document>(field?: string, value?: string): Promise<readonly VaultRecord<Record>[]> {
    const found: VaultRecord<Record>[] = [];
    const matching = field === undefined || value === undefined ? {} : { field, value };
    for (let afterId = ''; ;) {
      const page = await this.deps.vault.find<Record>(EMAILS, { ...matching, afterId, limit: PAGE });
      found.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return found;
      afterId = last.id;
    }
  }

  private hashOf(address: string): string {
    return createHmac('sha256', this.deps.addressKey).update(normalized(address)).digest('base64url');
  }
}
