import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { permissionsOf, type ChildFiles } from './child-permissions.js';

/** Every message of a child; `ready` comes first, once. */
export interface Message {
  readonly kind: string;
}

/** How a request ended: with a reply, stopped at a limit, or because the process died. */
export type ChildOutcome<Reply extends Message> = Reply | { readonly kind: 'overrun' } | { readonly kind: 'died' };

/** What a child process runs, and its limits. */
export interface ChildProgram {
  /** Its compiled program, or the source file of it. */
  readonly program: URL;
  /** For the whole process, in bytes; enforced where /proc exists. */
  readonly memoryBytes: number;
  readonly files: ChildFiles;
  /** Whether everything else has priority on the processor. */
  readonly isBackground?: boolean;
}

/** A child process that handles one request at a time. */
export interface LimitedChild<Request, Reply extends Message> {
  /** @throws if the process cannot be started */
  run(request: Request, milliseconds: number): Promise<ChildOutcome<Reply>>;
  isAlive(): boolean;
  kill(): Promise<void>;
}

/** How the program starts a child process. */
export type StartChild = <Request extends object, Reply extends Message>(settings: ChildProgram) => LimitedChild<Request, Reply>;

const HEAP_MEGABYTES = 256;
const POLL_MS = 50;
const PAGE_BYTES = 4_096;
const ERROR_TAIL = 2_000;

/** Starts a child process with an empty environment, which reads and writes only the files that are named, starts no processes, and loads no workers. */
export function startChild<Request extends object, Reply extends Message>(settings: ChildProgram): LimitedChild<Request, Reply> {
  const child = forked(settings);
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => (errors = (errors + text.toString()).slice(-ERROR_TAIL)));
  const ended = new Promise<'died'>((resolve) => {
    child.once('exit', () => resolve('died'));
    child.once('error', (error) => {
      errors ||= error.message;
      resolve('died');
    });
  });
  const ready = nextMessage<Reply>(child);
  let isAlive = true;
  void ended.then(() => (isAlive = false));

  return {
    isAlive: () => isAlive,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async run(request, milliseconds) {
      if ((await Promise.race([ready, ended])) === 'died') throw new Error(`the child process did not start: ${errors}`);
      if (!isAlive) return { kind: 'died' };
      const reply = nextMessage<Reply>(child);
      const watch = watchLimits(child, settings.memoryBytes, milliseconds);
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

function forked({ program, files, isBackground = false }: ChildProgram): ChildProcess {
  const child = fork(compiled(program), [], {
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`, ...permissionsOf(files)],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Bytes pass as they are.
    serialization: 'advanced',
  });
  if (isBackground && child.pid !== undefined) stepBack(child.pid);
  return child;
}

/** Lowers a process's priority to below normal, or leaves it where it is lower already: raising it takes a right. */
const stepBack = (pid: number): void => setPriority(pid, Math.max(getPriority(pid), constants.priority.PRIORITY_BELOW_NORMAL));

/** The compiled program, whether its source or the build is given. */
function compiled(program: URL): string {
  const path = fileURLToPath(program).replace(`${sep}backend${sep}src${sep}`, `${sep}backend${sep}dist${sep}`);
  if (!existsSync(path)) throw new Error('The program of a child process is not built: run npm run build.');
  return path;
}

function nextMessage<Reply extends Message>(child: ChildProcess): Promise<Reply> {
  return new Promise((resolve) => {
    const listen = (message: unknown): void => {
      if (!isMessage(message)) return;
      child.off('message', listen);
      resolve(message as Reply);
    };
    child.on('message', listen);
  });
}

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'kind' in message && typeof message.kind === 'string';

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
