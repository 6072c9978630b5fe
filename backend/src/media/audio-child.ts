import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAudioReply, type AudioReply, type AudioRequest } from './audio-messages.js';

/** How a request ended: with a reply, stopped at a limit, or because the process died. */
export type AudioOutcome = AudioReply | { readonly kind: 'overrun' } | { readonly kind: 'died' };

export interface AudioChildLimits {
  /** For the whole process, in bytes; enforced where /proc exists. */
  readonly memoryBytes: number;
}

/** A child process that handles one request at a time. */
export interface AudioChild {
  /** @throws if the process cannot be started */
  run(request: AudioRequest, milliseconds: number): Promise<AudioOutcome>;
  isAlive(): boolean;
  kill(): Promise<void>;
}

const HEAP_MEGABYTES = 256;
const POLL_MS = 50;
const PAGE_BYTES = 4_096;
const ERROR_TAIL = 2_000;

/** Starts a child process with an empty environment. */
export function startAudioChild({ memoryBytes }: AudioChildLimits): AudioChild {
  const child = fork(childPath(), [], {
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => (errors = (errors + text.toString()).slice(-ERROR_TAIL)));
  const ended = new Promise<'died'>((resolve) => {
    child.once('exit', () => resolve('died'));
    child.once('error', (error) => {
      errors ||= error.message;
      resolve('died');
    });
  });
  const ready = nextReply(child);
  let isAlive = true;
  void ended.then(() => (isAlive = false));

  return {
    isAlive: () => isAlive,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async run(request, milliseconds) {
      if ((await Promise.race([ready, ended])) === 'died') throw new Error(`the audio process did not start: ${errors}`);
      if (!isAlive) return { kind: 'died' };
      const reply = nextReply(child);
      const watch = watchLimits(child, memoryBytes, milliseconds);
      child.send(request, (error) => error && child.kill('SIGKILL'));
      const outcome = await Promise.race([reply, watch.overrun, ended]);
      watch.stop();
      if (outcome !== 'died' && outcome.kind !== 'overrun') return outcome;
      child.kill('SIGKILL');
      await ended;
      return outcome === 'died' ? { kind: 'died' } : outcome;
    },
  };
}

/** The compiled child, whether this file runs from source or from the build. */
function childPath(): string {
  const path = fileURLToPath(new URL('./analysis-child.js', import.meta.url)).replace(`${sep}src${sep}media${sep}`, `${sep}dist${sep}media${sep}`);
  if (!existsSync(path)) throw new Error('The audio process is not built: run npm run build.');
  return path;
}

function nextReply(child: ChildProcess): Promise<AudioReply> {
  return new Promise((resolve) => {
    const listen = (message: unknown): void => {
      if (!isAudioReply(message)) return;
      child.off('message', listen);
      resolve(message);
    };
    child.on('message', listen);
  });
}

/** Resolves `overrun` once the time is up or the process uses too much memory. */
function watchLimits(child: ChildProcess, memoryBytes: number, milliseconds: number) {
  let timers: readonly NodeJS.Timeout[] = [];
  const overrun = new Promise<{ readonly kind: 'overrun' }>((resolve) => {
    const stop = (): void => resolve({ kind: 'overrun' });
    const checkMemory = async (): Promise<void> => {
      if ((await residentBytes(child.pid)) > memoryBytes) stop();
    };
    // After this process was suspended, its timer can fire before the waiting reply is read.
    timers = [setTimeout(() => setImmediate(stop), milliseconds), setInterval(() => void checkMemory(), POLL_MS)];
  });
  return { overrun, stop: () => timers.forEach(clearTimeout) };
}

async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const pages = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1];
    return Number(pages) * PAGE_BYTES;
  } catch {
    // Without /proc, or if the process has just ended, its heap limit and the timeout still apply.
    return 0;
  }
}
