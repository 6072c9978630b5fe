import type { TimersStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { Vault } from '../vault/vault.js';
import { type TimerRecord, TIMERS } from './timer-records.js';

const PAGE = 1_000;

/** Every kind of timers that the vault holds, and those of `kinds` of which it holds none. Reads all of them: for an operator who asks, not for metrics. */
export async function storedTimers(vault: Vault, now: Instant, kinds: readonly string[] = []): Promise<readonly TimersStatus[]> {
  await vault.declare({ name: TIMERS.name, indexes: TIMERS.indexes });
  const found = new Map(kinds.map((kind) => [kind, nothingOf(kind)]));
  for (let afterId = ''; ;) {
    const page = await vault.find<TimerRecord>(TIMERS.name, { afterId, limit: PAGE });
    for (const { body } of page) found.set(body.kind, counted(found.get(body.kind) ?? nothingOf(body.kind), body, now));
    const last = page.at(-1);
    if (last === undefined) return [...found.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
    afterId = last.id;
  }
}

const nothingOf = (kind: string): TimersStatus => ({ kind, pending: 0, due: 0, next: null, parked: [] });

function counted(status: TimersStatus, { key, at, tries, parked }: TimerRecord, now: Instant): TimersStatus {
  if (parked !== undefined) return { ...status, parked: [...status.parked, { key, at, tries }] };
  return { ...status, pending: status.pending + 1, due: status.due + (at <= now ? 1 : 0), next: Math.min(status.next ?? at, at) };
}
