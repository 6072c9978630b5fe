import type { MailStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { isOneAddress, nameOfKey } from './letter-message.js';
import { LETTERS, type LetterRecord, type UndeliveredLetter, type WaitingLetter } from './letter-records.js';
import { type Letter, LetterRefused } from './mailer.js';

const PAGE = 500;
/** As long a key is known after its letter was delivered or given up. */
const REMEMBERED_MS = 30 * 24 * 60 * 60_000;

/** Addresses are compared without regard to case. */
const compared = (address: string): string => address.normalize('NFC').trim().toLowerCase();

const earliest = (instants: readonly Instant[]): Instant | null => instants.reduce<Instant | null>((first, each) => Math.min(first ?? each, each), null);

/**
 * Letters on their way, kept in the vault alone until somebody delivers them. A key is one letter, however often it is sent; each is delivered at least
 * once, and known again by its Message-ID.
 */
export class Letters {
  private readonly whenSent = new Set<() => void>();

  private constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  static async open(vault: Vault, clock: Clock): Promise<Letters> {
    await vault.declare({ name: LETTERS, indexes: ['state', 'uid', 'address'] });
    return new Letters(vault, clock);
  }

  /**
   * Durable when it resolves: then it is delivered, whatever ends in between. `uid`: whose letter it is; it goes when they are erased.
   * @returns the name of the letter, which its Message-ID begins with
   * @throws LetterRefused when `to` is not one address; StoreAway, DiskFull: nothing is on its way
   */
  async send(letter: Letter, uid: Uid | null = null): Promise<string> {
    if (!isOneAddress(letter.to)) throw new LetterRefused('the recipient is not one address');
    const { to, subject, text, key } = letter;
    const [name, now] = [nameOfKey(key), this.clock()];
    const record = { state: 'waiting', to, subject, text, key, uid, address: compared(to), writtenAt: now, dueAt: now, tries: 0, reason: null } as const;
    await this.vault.insert(LETTERS, name, record satisfies WaitingLetter);
    for (const tell of this.whenSent) tell();
    return name;
  }

  /** Calls back for each letter of this process. @returns how to end that */
  onSent(tell: () => void): () => void {
    this.whenSent.add(tell);
    return () => this.whenSent.delete(tell);
  }

  /** Everything that waits, whoever wrote it. */
  waiting(): Promise<readonly VaultRecord<WaitingLetter>[]> {
    return this.in<WaitingLetter>('waiting');
  }

  /** What waits, and what was given up. */
  async status(): Promise<MailStatus> {
    const [waiting, undelivered] = await Promise.all([this.waiting(), this.in<UndeliveredLetter>('undelivered')]);
    return {
      waiting: waiting.length,
      oldest: earliest(waiting.map(({ body }) => body.writtenAt)),
      lastReason: waiting.toSorted((a, b) => b.body.tries - a.body.tries)[0]?.body.reason ?? null,
      undelivered: undelivered.map(({ id, body: { to, writtenAt, endedAt, tries, reason } }) => ({ letter: id, to, writtenAt, endedAt, tries, reason })),
    };
  }

  /** Takes back and forgets whatever is somebody's, by uid and by address. */
  async forget(uid: Uid, address: string | null): Promise<void> {
    await this.vault.removeWhere(LETTERS, 'uid', uid);
    if (address !== null) await this.vault.removeWhere(LETTERS, 'address', compared(address));
  }

  /** Replaces a letter that is as it was read; one that was taken back meanwhile stays gone. */
  async change({ id, version }: VaultRecord<WaitingLetter>, record: LetterRecord): Promise<void> {
    await this.vault.replace(LETTERS, id, version, record);
  }

  /** Forgets what was delivered or given up long ago. */
  async sweep(): Promise<void> {
    for (const state of ['sent', 'undelivered'] as const) {
      for (const { id, version, body } of await this.in<LetterRecord & { readonly endedAt: Instant }>(state)) {
        if (body.endedAt < this.clock() - REMEMBERED_MS) await this.vault.remove(LETTERS, id, version);
      }
    }
  }

  private async in<Record extends LetterRecord>(state: LetterRecord['state']): Promise<readonly VaultRecord<Record>[]> {
    const found: VaultRecord<Record>[] = [];
    for (let afterId = ''; ;) {
      const page = await this.vault.find<Record>(LETTERS, { field: 'state', value: state, afterId, limit: PAGE });
      found.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return found;
      afterId = last.id;
    }
  }
}
