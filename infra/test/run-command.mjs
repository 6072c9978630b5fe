import { spawn } from 'node:child_process';

const graceMs = 5_000;

/**
 * Runs a command in its own process group, with this process's output. At its limit, or when this process receives a signal,
 * the group receives SIGTERM and then SIGKILL.
 * @returns {Promise<{ exit: number | null, timedOut: boolean }>} exit is null if it was ended by a signal
 */
export function runCommand([program, ...args], { limitMs, env = process.env }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true, env });
    let timedOut = false;
    let killTimer;
    const end = () => {
      signalGroup(child.pid, 'SIGTERM');
      killTimer ??= setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs);
    };
    const limit = setTimeout(() => {
      timedOut = true;
      end();
    }, limitMs);
    const interrupted = () => {
      end();
      process.exitCode = 130;
    };
    process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
    const done = (exit) => {
      clearTimeout(limit);
      clearTimeout(killTimer);
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
      signalGroup(child.pid, 'SIGKILL');
      resolve({ exit, timedOut });
    };
    child.once('error', (error) => {
      console.error(error.message);
      done(127);
    });
    child.once('exit', done);
  });
}

function signalGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // No process is left in the group.
    if (error.code !== 'ESRCH') throw error;
  }
}
