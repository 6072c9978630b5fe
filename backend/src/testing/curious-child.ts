import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';

/** A child process for specs: does what its parent asks, and says how that ended. */
interface Wish {
  readonly kind: 'read' | 'write' | 'fork' | 'environment' | 'priority' | 'grow' | 'wait';
  readonly path: string;
}

const hoard: Buffer[] = [];

function grant({ kind, path }: Wish): string | null {
  if (kind === 'read') return readFileSync(path, 'utf8');
  if (kind === 'environment') return Object.keys(process.env).join();
  if (kind === 'priority') return String(getPriority());
  if (kind === 'write') writeFileSync(path, '');
  if (kind === 'fork') fork(path);
  if (kind === 'grow') for (;;) hoard.push(Buffer.alloc(8 * 1024 * 1024, 1));
  return kind === 'wait' ? null : 'done';
}

process.on('message', (wish: Wish) => {
  try {
    const text = grant(wish);
    if (text !== null) process.send?.({ kind: 'granted', text });
  } catch (error) {
    process.send?.({ kind: 'denied', code: (error as NodeJS.ErrnoException).code });
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.({ kind: 'ready' });
