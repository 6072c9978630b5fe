import { availableParallelism, totalmem } from 'node:os';
import { FairQueue } from '../platform/fair-queue.js';
import { uploadQueue } from '../platform/uploads/upload-queue.js';
import { analysesAtOnce } from './analyses-at-once.js';
import { startAudioChild, type AudioChild, type AudioOutcome } from './audio-child.js';
import type { AnalysisOptions } from './analyse.js';
import type { AnalysisResult, ProbeResult } from './audio-format.js';
import type { AudioRequest } from './audio-messages.js';

export interface AudioWorkerOptions {
  /** Memory limit of a child process, in bytes. */
  readonly memoryBytes?: number;
  readonly probeMilliseconds?: number;
  /** The timeout of an analysis, plus a tenth of the audio's duration. */
  readonly analysisMilliseconds?: number;
}

/** Probes and analyses files in child processes, so that no file can crash the server. */
export interface AudioWorker {
  /** Take a turn in the name of the file's uploader before the file is copied, and keep it until what was made of the file is stored or deleted. */
  readonly turns: { readonly probe: FairQueue; readonly analyse: FairQueue };
  /** @throws on our own failures: no process, a missing file, a closed worker */
  probe(path: string, size: number): Promise<ProbeResult>;
  /** An abort kills its process. @throws as `probe` does, if the peaks cannot be written, and on abort */
  analyse(path: string, options: AnalysisOptions, signal?: AbortSignal): Promise<AnalysisResult>;
  /** Stops running jobs and rejects later ones. */
  close(): Promise<void>;
}

/** A process may die for reasons unrelated to the file, so each file gets a second attempt. */
const ATTEMPTS = 2;
/** A process is replaced after this many probes, so memory leaked by parsers is not held against later files. */
const PROBES_PER_PROCESS = 100;
/** Two, so that a slow probe delays nobody but its uploader. */
const PROBES_AT_ONCE = 2;
const CLOSED = 'the audio worker is closed';
const DAMAGED = { ok: false, code: 'upload.damaged' } as const;

/** Probes share processes that are reused; each analysis gets its own process. */
export function createAudioWorker(options: AudioWorkerOptions = {}): AudioWorker {
  const { memoryBytes = 512 * 1024 * 1024, probeMilliseconds = 5_000, analysisMilliseconds = 60_000 } = options;
  const processes = createProcesses(memoryBytes);
  const probeOnce = createReusedProcesses(processes, probeMilliseconds);
  const analyses = analysesAtOnce({ cores: availableParallelism(), memoryBytes: containerBytes() }, memoryBytes);

  return {
    turns: {
      probe: uploadQueue({ running: PROBES_AT_ONCE, runningPerPerson: 1 }),
      analyse: new FairQueue({ running: analyses, runningPerPerson: Math.max(1, analyses - 1) }),
    },
    async probe(path, size) {
      const outcome = await runWithRetry(processes, () => probeOnce({ kind: 'probe', path, size }));
      return outcome?.kind === 'probed' ? outcome.result : DAMAGED;
    },
    async analyse(path, { outFolder, duration }, signal) {
      const limit = analysisMilliseconds + duration * 100;
      const request = { kind: 'analyse', path, outFolder, duration } as const;
      const outcome = await runWithRetry(processes, () => runOnce(processes, request, { limit, signal }), signal);
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

/** As many processes as there are requests at once. */
function createReusedProcesses(processes: Processes, milliseconds: number): (request: AudioRequest) => Promise<AudioOutcome> {
  const idle: { readonly child: AudioChild; served: number }[] = [];
  return async (request) => {
    let current = idle.pop();
    for (; current !== undefined && !current.child.isAlive(); current = idle.pop()) await processes.stop(current.child);
    current ??= { child: processes.start(), served: 0 };
    try {
      return await current.child.run(request, milliseconds);
    } finally {
      current.served++;
      if (current.child.isAlive() && current.served < PROBES_PER_PROCESS) idle.push(current);
      else await processes.stop(current.child);
    }
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

/** The memory that this process and its children may use: the container's, or the machine's. */
function containerBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
