import type { Position } from '@roughmix/contracts/shared/ids.js';

/** Longer than the read models of any server lag behind, except in trouble. */
const KEPT_MS = 30_000;

let newest: { readonly position: Position; readonly at: number } | null = null;

/** Records that a command of this tab took effect at a position. */
export function noteOwnCommand(position: Position): void {
  const known = current();
  newest = { position: Math.max(position, known ?? 0), at: performance.now() };
}

/** For 30 s after a command: the header by which a query asks for an answer that shows it, even from a server that has not seen the command itself. */
export function afterOwnCommands(): Readonly<Record<string, string>> {
  const position = current();
  return position === null ? {} : { 'X-After-Position': String(position) };
}

const current = (): Position | null => (newest !== null && performance.now() - newest.at < KEPT_MS ? newest.position : null);
