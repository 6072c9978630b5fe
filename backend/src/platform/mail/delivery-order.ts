import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { VaultRecord } from '../vault/vault.js';
import type { QueuedEmail } from './email-records.js';

type Queued = VaultRecord<QueuedEmail>;

const byDueTime = (one: Queued, other: Queued): number => one.body.dueAt - other.body.dueAt;

/** The mailings that each user has caused, in the given order. */
function linesOf(due: readonly Queued[]): ReadonlyMap<Uid, readonly Queued[]> {
  const lines = new Map<Uid, Queued[]>();
  for (const email of due) {
    const { causedBy } = email.body;
    if (causedBy === undefined) continue;
    const line = lines.get(causedBy);
    if (line === undefined) lines.set(causedBy, [email]);
    else line.push(email);
  }
  return lines;
}

/**
 * Which e-mails are delivered next: account e-mails before mailings, the longest overdue first. People whose actions caused mailings take turns, so that
 * one with thousands delays another's by at most one e-mail each.
 */
export class DeliveryOrder {
  /** When people with waiting mailings had their last turn, in turns. */
  private readonly turns = new Map<Uid, number>();
  private turn = 0;

  /** The next e-mails of these, at most `limit`; the mailings among them count as their people's turns. */
  next(due: readonly Queued[], limit: number): readonly Queued[] {
    const sorted = due.toSorted(byDueTime);
    const accountEmails = sorted.filter(({ body }) => body.causedBy === undefined).slice(0, limit);
    return [...accountEmails, ...this.mailings(linesOf(sorted), limit - accountEmails.length)];
  }

  private mailings(lines: ReadonlyMap<Uid, readonly Queued[]>, limit: number): readonly Queued[] {
    for (const uid of this.turns.keys()) if (!lines.has(uid)) this.turns.delete(uid);
    // Sorting is stable: among those without a turn, the longest overdue comes first.
    const inTurn = [...lines].toSorted(([one], [other]) => (this.turns.get(one) ?? 0) - (this.turns.get(other) ?? 0));
    const chosen: Queued[] = [];
    for (let nth = 0; chosen.length < limit; nth += 1) {
      const before = chosen.length;
      for (const [uid, line] of inTurn) {
        const email = line[nth];
        if (email === undefined || chosen.length >= limit) continue;
        chosen.push(email);
        this.turn += 1;
        this.turns.set(uid, this.turn);
      }
      if (chosen.length === before) break;
    }
    return chosen;
  }
}
