import { availableParallelism, totalmem } from 'node:os';
import { type ChildOutcome, startChild as startProcess, type StartChild } from '../platform/children/limited-child.js';
import { FairQueue } from '../platform/fair-queue.js';
import { uploadQueue } from '../platform/uploads/upload-queue.js';
import { analysesAtOnce } from './analyses-at-once.js';
import type { AnalysisOptions } from './analyse.js';
import type { AnalysisResult, CopyResult, ProbeResult } from './audio-format.js';
import type { AudioReply, AudioRequest } from './audio-messages.js';
import { startAudioProcess } from './audio-process.js';

type AudioChild = ReturnType<typeof startAudioProcess>;
type AudioOutcome = ChildOutcome<AudioReply>;

export interface AudioWorkerOptions {
  /** How it starts a child process. */
  readonly startChild?: StartChild;
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
  /** The copy for browsers of a file that was analysed before. @throws as `analyse` does */
  copy(path: string, options: AnalysisOptions, signal?: AbortSignal): Promise<CopyResult>;
  /** Stops running jobs and rejects later ones. */
  close(): Promise<void>;
}

/** A process may die for reasons unrelated to the file, so each file gets a second attempt. */
const ATTEMPTS = 2;
/** Two, so that a slow probe delays nobody but its uploader. */
const PROBES_AT_ONCE = 2;
const CLOSED = 'the audio worker is closed';
const DAMAGED = { ok: false, code: 'upload.damaged' } as const;
const NO_COPY = { ok: false, code: 'upload.no-copy' } as const;

/** Each request has a process of its own. */
export function createAudioWorker(options: AudioWorkerOptions = {}): AudioWorker {
  const { startChild = startProcess, memoryBytes = 512 * 1024 * 1024, probeMilliseconds = 5_000, analysisMilliseconds = 60_000 } = options;
  const processes = createProcesses(startChild, memoryBytes);
  const milliseconds = (duration: number): number => analysisMilliseconds + duration * 100;
  const analyses = analysesAtOnce({ cores: availableParallelism(), memoryBytes: containerBytes() }, memoryBytes);

  return {
    turns: {
      probe: uploadQueue({ running: PROBES_AT_ONCE, runningPerPerson: 1 }),
      analyse: new FairQueue({ running: analyses, runningPerPerson: Math.max(1, analyses - 1) }),
    },
    async probe(path, size) {
      const outcome = await runWithRetry(processes, { kind: 'probe', path, size }, { milliseconds: probeMilliseconds });
      return outcome?.kind === 'probed' ? outcome.result : DAMAGED;
    },
    async analyse(path, { outFolder, duration }, signal) {
      const outcome = await runWithRetry(processes, { kind: 'analyse', path, outFolder, duration }, { milliseconds: milliseconds(duration), signal });
      return outcome?.kind === 'analysed' ? outcome.result : DAMAGED;
    },
    async copy(path, { outFolder, duration }, signal) {
      const outcome = await runWithRetry(processes, { kind: 'copy', path, outFolder }, { milliseconds: milliseconds(duration), signal });
      return outcome?.kind === 'copied' ? outcome.result : NO_COPY;
    },
    close: () => processes.close(),
  };
}

/** All child processes of a worker. */
interface Processes {
  start(request: AudioRequest): AudioChild;
  stop(child: AudioChild): Promise<void>;
  isClosed(): boolean;
  close(): Promise<void>;
}

function createProcesses(startChild: StartChild, memoryBytes: number): Processes {
  const children = new Set<AudioChild>();
  let isClosed = false;
  const stop = async (child: AudioChild): Promise<void> => {
    children.delete(child);
    await child.kill();
  };
  return {
    start(request) {
      if (isClosed) throw new Error(CLOSED);
      const child = startAudioProcess(startChild, request, memoryBytes);
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

interface Limits {
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
}

async function runOnce(processes: Processes, request: AudioRequest, { milliseconds, signal }: Limits): Promise<AudioOutcome> {
  signal?.throwIfAborted();
  const child = processes.start(request);
  const stop = (): void => void processes.stop(child);
  signal?.addEventListener('abort', stop);
  try {
    return await child.run(request, milliseconds);
  } finally {
    signal?.removeEventListener('abort', stop);
    await processes.stop(child);
  }
}

/** Null if the file exceeded its limits, or if two processes died while reading it. */
async function runWithRetry(processes: Processes, request: AudioRequest, limits: Limits): Promise<AudioOutcome | null> {
  for (let count = 1; count <= ATTEMPTS; count++) {
    const outcome = await runOnce(processes, request, limits).catch((error: unknown) => {
      limits.signal?.throwIfAborted();
      throw processes.isClosed() ? new Error(CLOSED, { cause: error }) : error;
    });
    if (processes.isClosed()) throw new Error(CLOSED);
    limits.signal?.throwIfAborted();
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
