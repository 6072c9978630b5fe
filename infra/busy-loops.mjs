import { spawn } from 'node:child_process';

/** Ends by itself if its parent is killed, which may happen before it begins. */
const LOOP = `while (process.ppid === ${process.pid}) for (let at = 0; at < 1e7; at += 1);`;

/**
 * Starts processes that keep a core busy each.
 * @returns {{ pids: readonly number[], end(): void }} `end` kills them by their process ids
 */
export function keepBusy(count) {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }));
  return {
    pids: loops.map(({ pid }) => pid),
    end: () => {
      for (const loop of loops) loop.kill('SIGKILL');
    },
  };
}
