import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

let warden;

function tell(line) {
  if (warden === undefined) {
    const file = fileURLToPath(new URL('./warden.mjs', import.meta.url));
    warden = spawn(process.execPath, [file], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
    warden.unref();
    warden.stdin.unref();
  }
  warden.stdin.write(line);
}

/** A process that is to end with this one, however this one ends: a process that outlives it sees to that. */
export const watch = (pid) => tell(`+${pid}\n`);

/** It has ended. */
export const unwatch = (pid) => tell(`-${pid}\n`);
