import { startAudioChild, type AudioChild, type AudioOutcome } from './audio-child.js';
import type { AnalysisOptions } from './analyse.js';
import type { AnalysisResult, ProbeResult } from './audio-format.js';
import type { AudioRequest } from './audio-messages.js';

export interface AudioWorkerOptions {
  /** How many files are analysed at the same time. */
  readonly concurrency?: number;
  /** The most memory that a child process may take, in octets. */
  readonly memoryBytes?: number;
  readonly probeMilliseconds?: number;
  /** For an analysis, besides a tenth of the audio's duration. */
  readonly analysisMilliseconds?: number;
}

/** Probes and analyses files in child processes, so that no file takes the server down. */
export interface AudioWorker {
  /** @throws when the failure is ours: no process, a file that is not there, a closed worker */
  probe(path: string, size: number): Promise<ProbeResult>;
  /** Ends with its process when the signal aborts. @throws as `probe` does, when the peaks cannot be written, and then */
  analyse(path: string, options: AnalysisOptions, signal?: AbortSignal): Promise<AnalysisResult>;
  /** Stops what runs; what waits is rejected. */
  close(): Promise<void>;
}

/** A file may have bad luck with one process; it does not have it twice. */
const ATTEMPTS = 2;
/** So that what parsers leave in memory is never held against a later file. */
const PROBES_PER_PROCESS = 100;
const CLOSED = 'the audio worker is closed';
const DAMAGED = { ok: false, code: 'upload.damaged' } as const;

/** Probes run one after another in a process that is kept; each analysis has a process of its own. */
export function createAudioWorker(options: AudioWorkerOptions = {}): AudioWorker {
  const { concurrency = 1, memoryBytes = 512 * 1024 * 1024, probeMilliseconds = 15_000, analysisMilliseconds = 60_000 } = options;
  const processes = createProcesses(memoryBytes);
  const probeOnce = createKeptProcess(processes, probeMilliseconds);
  const probes = createQueue(1);
  const analyses = createQueue(concurrency);

  return {
    async probe(path, size) {
      const outcome = await probes(() => settle(processes, () => probeOnce({ kind: 'probe', path, size })));
      return outcome?.kind === 'probed' ? outcome.result : DAMAGED;
    },
    async analyse(path, { outFolder, duration }, signal) {
      const limit = analysisMilliseconds + duration * 100;
      const request = { kind: 'analyse', path, outFolder, duration } as const;
      const outcome = await analyses(() => settle(processes, () => runOnce(processes, request, { limit, signal }), signal));
      return outcome?.kind === 'analysed' ? outcome.result : DAMAGED;
    },
    close: () => processes.close(),
  };
}

/** All child processes of one worker. */
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

function createKeptProcess(processes: Processes, milliseconds: number): (request: AudioRequest) => Promise<AudioOutcome> {
  let kept: AudioChild | null = null;
  let served = 0;
  return async (request) => {
    if (kept && (!kept.isAlive() || served >= PROBES_PER_PROCESS)) {
      await processes.stop(kept);
      kept = null;
      served = 0;
    }
    kept ??= processes.start();
    served++;
    return kept.run(request, milliseconds);
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

/** Null: the file overran its limits, or the process died at it again. */
async function settle(processes: Processes, attempt: () => Promise<AudioOutcome>, signal?: AbortSignal): Promise<AudioOutcome | null> {
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

/** Runs at most `width` jobs at a time, in the order they came. */
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
