import { startAudioChild, type AudioChild, type AudioOutcome } from './audio-child.js';
import type { AnalysisOptions } from './analyse.js';
import type { AnalysisResult, ProbeResult } from './audio-format.js';
import type { AudioRequest } from './audio-messages.js';

export interface AudioWorkerOptions {
  /** The number of concurrent analyses. */
  readonly concurrency?: number;
  /** Memory limit of a child process, in bytes. */
  readonly memoryBytes?: number;
  readonly probeMilliseconds?: number;
  /** The timeout of an analysis, plus a tenth of the audio's duration. */
  readonly analysisMilliseconds?: number;
}

/** Probes and analyses files in child processes, so that no file can crash the server. */
export interface AudioWorker {
  /** @throws on our own failures: no process, a missing file, a closed worker */
  probe(path: string, size: number): Promise<ProbeResult>;
  /** An abort kills its process. @throws as `probe` does, if the peaks cannot be written, and on abort */
  analyse(path: string, options: AnalysisOptions, signal?: AbortSignal): Promise<AnalysisResult>;
  /** Stops running jobs and rejects waiting ones. */
  close(): Promise<void>;
}

/** A process may die for reasons unrelated to the file, so each file gets a second attempt. */
const ATTEMPTS = 2;
/** A process is replaced after this many probes, so memory leaked by parsers is not held against later files. */
const PROBES_PER_PROCESS = 100;
const CLOSED = 'the audio worker is closed';
const DAMAGED = { ok: false, code: 'upload.damaged' } as const;

/** Probes run one after another in a reused process; each analysis gets its own process. */
export function createAudioWorker(options: AudioWorkerOptions = {}): AudioWorker {
  const { concurrency = 1, memoryBytes = 512 * 1024 * 1024, probeMilliseconds = 15_000, analysisMilliseconds = 60_000 } = options;
  const processes = createProcesses(memoryBytes);
  const probeOnce = createReusedProcess(processes, probeMilliseconds);
  const probes = createQueue(1);
  const analyses = createQueue(concurrency);

  return {
    async probe(path, size) {
      const outcome = await probes(() => runWithRetry(processes, () => probeOnce({ kind: 'probe', path, size })));
      return outcome?.kind === 'probed' ? outcome.result : DAMAGED;
    },
    async analyse(path, { outFolder, duration }, signal) {
      const limit = analysisMilliseconds + duration * 100;
      const request = { kind: 'analyse', path, outFolder, duration } as const;
      const outcome = await analyses(() => runWithRetry(processes, () => runOnce(processes, request, { limit, signal }), signal));
      return outcome?.kind === 'analysed' ? outcome.result : DAMAGED;
    },
    close: () => processes.close(),
  };
}

/** All child processes of a worker. */
interface Processes {
  start(): AudioChild;
  stop(child: AudioChild): Promise<void>;
  isClosed(): boolean;
  close(): Promise<void>;
}

function createProcesses(memoryBytes: number): Processes {
  const children = new Set<AudioChild>();
  let isClosed = false;
  const stop = async (child: AudioChild): Promise<void> => {
    children.delete(child);
    await child.kill();
  };
  return {
    start() {
      if (isClosed) throw new Error(CLOSED);
      const child = startAudioChild({ memoryBytes });
      children.add(child);
      return child;
    },
    stop,
    isClosed: () => isClosed,
    async close() {
      isClosed = true;
      await Promise.all([...children].map(stop));
    },
  };
}

function createReusedProcess(processes: Processes, milliseconds: number): (request: AudioRequest) => Promise<AudioOutcome> {
  let current: AudioChild | null = null;
  let served = 0;
  return async (request) => {
    if (current && (!current.isAlive() || served >= PROBES_PER_PROCESS)) {
      await processes.stop(current);
      current = null;
      served = 0;
    }
    current ??= processes.start();
    served++;
    return current.run(request, milliseconds);
  };
}

async function runOnce(
  processes: Processes,
  request: AudioRequest,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal | undefined },
): Promise<AudioOutcome> {
  signal?.throwIfAborted();
  const child = processes.start();
  const stop = (): void => void processes.stop(child);
  signal?.addEventListener('abort', stop);
  try {
    return await child.run(request, limit);
  } finally {
    signal?.removeEventListener('abort', stop);
    await processes.stop(child);
  }
}

/** Null if the file exceeded its limits, or if two processes died while reading it. */
async function runWithRetry(processes: Processes, attempt: () => Promise<AudioOutcome>, signal?: AbortSignal): Promise<AudioOutcome | null> {
  for (let count = 1; count <= ATTEMPTS; count++) {
    const outcome = await attempt().catch((error: unknown) => {
      signal?.throwIfAborted();
      throw processes.isClosed() ? new Error(CLOSED, { cause: error }) : error;
    });
    if (processes.isClosed()) throw new Error(CLOSED);
    signal?.throwIfAborted();
    if (outcome.kind === 'failed') throw new Error(outcome.message);
    if (outcome.kind === 'overrun') return null;
    if (outcome.kind !== 'died') return outcome;
  }
  return null;
}

/** Runs at most `width` jobs at a time, first come, first served. */
function createQueue(width: number): <T>(job: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (job) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
