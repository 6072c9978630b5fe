import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

let reaper;

function send(line) {
  if (reaper === undefined) {
    const file = fileURLToPath(new URL('./reaper.mjs', import.meta.url));
    reaper = spawn(process.execPath, [file], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
    reaper.unref();
    reaper.stdin.unref();
  }
  reaper.stdin.write(line);
}

/** Makes a process end with this one, however this one ends; a separate process takes care of it. */
export const watch = (pid) => send(`+${pid}\n`);

/** The process has exited. */
export const unwatch = (pid) => send(`-${pid}\n`);
