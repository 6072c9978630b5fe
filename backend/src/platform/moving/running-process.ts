import { setTimeout as pause } from 'node:timers/promises';
import type { Vault } from '../vault/vault.js';

/** Longer than a lease can be held without a renewal. */
const WATCH_MS = 5_000;
/** Longer than the interval at which a process renews its presence records. */
const PRESENCE_WATCH_MS = 7_000;
const POLL_MS = 500;

/** Kinds of record that running processes rewrite continually, and what a change means. */
const SIGNS: readonly (readonly [kind: string, meaning: string])[] = [
  ['leases', 'a process builds read models or runs reactors'],
  ['presence', 'a web process serves users'],
  ['readiness', 'a process answers readiness checks'],
];

/**
 * Watches a vault for changes by running processes. It does not compare clocks: a record that does not change was left behind by a process that ended, or
 * was copied.
 * @returns what is running, null if nothing changed @throws ServiceUnavailable
 */
export async function runningProcess(vault: Vault, signal: AbortSignal, watchMs?: number): Promise<string | null> {
  for (const [kind] of SIGNS) await vault.declare({ name: kind });
  const before = await versionsIn(vault);
  const hasPresence = (await vault.find<{ readonly here: object }>('presence', {})).some(({ body }) => Object.keys(body.here).length > 0);
  const duration = watchMs ?? (hasPresence ? PRESENCE_WATCH_MS : WATCH_MS);
  for (const until = performance.now() + duration; performance.now() < until;) {
    await pause(Math.min(POLL_MS, duration), undefined, { signal });
    const now = await versionsIn(vault);
    const [changed] = [...now].filter(([record, version]) => before.get(record) !== version);
    if (changed !== undefined) return SIGNS.find(([kind]) => changed[0].startsWith(`${kind}/`))?.[1] ?? 'a process is running';
  }
  return null;
}

async function versionsIn(vault: Vault): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const [kind] of SIGNS) for (const { id, version } of await vault.find(kind, {})) found.set(`${kind}/${id}`, version);
  return found;
}
