import { setTimeout as pause } from 'node:timers/promises';
import type { Vault } from '../vault/vault.js';

/** Longer than whoever holds a lease leaves it without a word: by then it has given it up itself. */
const WATCH_MS = 5_000;
/** Longer than a process leaves people that look at something with it without a word. */
const PEOPLE_MS = 7_000;
const LOOK_MS = 500;

/** What processes at work write again and again, and who that is. */
const SIGNS: readonly (readonly [kind: string, who: string])[] = [
  ['leases', 'a process builds read models or reacts'],
  ['presence', 'a web process has people looking at something'],
  ['readiness', 'a process is asked whether it is ready'],
];

/**
 * Watches a vault for whether somebody works on it. No clocks are compared: what stands there unchanged was left by a process that is gone, or came with a copy.
 * @returns who it is, null when nothing stirred @throws StoreAway
 */
export async function signOfLife(vault: Vault, signal: AbortSignal, watchMs?: number): Promise<string | null> {
  for (const [kind] of SIGNS) await vault.declare({ name: kind });
  const before = await versionsIn(vault);
  const isLong = (await vault.find<{ readonly here: object }>('presence', {})).some(({ body }) => Object.keys(body.here).length > 0);
  const lasts = watchMs ?? (isLong ? PEOPLE_MS : WATCH_MS);
  for (const until = performance.now() + lasts; performance.now() < until;) {
    await pause(Math.min(LOOK_MS, lasts), undefined, { signal });
    const now = await versionsIn(vault);
    const [stirred] = [...now].filter(([record, version]) => before.get(record) !== version);
    if (stirred !== undefined) return SIGNS.find(([kind]) => stirred[0].startsWith(`${kind}/`))?.[1] ?? 'somebody';
  }
  return null;
}

async function versionsIn(vault: Vault): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const [kind] of SIGNS) for (const { id, version } of await vault.find(kind, {})) found.set(`${kind}/${id}`, version);
  return found;
}
