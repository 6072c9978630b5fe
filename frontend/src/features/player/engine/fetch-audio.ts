import { anySignal } from '../../../shared/api/any-signal';
/** Backoff between the attempts of a download, two minutes in total. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, ...Array.from({ length: 14 }, () => 8_000)];
/** A download that receives nothing for this long is retried. */
const STALLED_MS = 15_000;

/** The server refuses to send the audio, so there is no retry. */
export class AudioRefused extends Error {
  constructor(readonly status: number) {
    super(`the server refused audio with status ${status}`);
  }
}

/** The storage that the server redirects to refuses to send the audio: the URL has expired, or the file is missing. */
class StorageRefused extends Error {}

export interface FetchAudioOptions {
  readonly signal: AbortSignal;
  /** Prefetches give way to what is about to be played. */
  readonly priority?: RequestPriority;
  readonly retryDelaysMs?: readonly number[];
  readonly stalledMs?: number;
}

/** The bytes received so far, so that the next attempt can resume. */
interface Received {
  chunks: Uint8Array<ArrayBuffer>[];
  length: number;
  etag: string | null;
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429;

/** Resolves after the delay, while offline once the browser is online again, and when the download is aborted. */
function retryTime(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = navigator.onLine ? setTimeout(() => finish(), delayMs) : undefined;
    const finish = () => {
      clearTimeout(timer);
      window.removeEventListener('online', finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    window.addEventListener('online', finish);
    signal.addEventListener('abort', finish);
  });
}

/** Awaits one step of an attempt; aborts the attempt on timeout. */
type Step = <T>(step: Promise<T>) => Promise<T>;

function deadline(stalled: AbortController, stalledMs: number): Step {
  return (step) => {
    const timer = setTimeout(() => stalled.abort(), stalledMs);
    return step.finally(() => clearTimeout(timer));
  };
}

async function readAll(body: ReadableStream<Uint8Array<ArrayBuffer>>, received: Received, within: Step): Promise<void> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await within(reader.read());
    if (done) return;
    received.chunks.push(value);
    received.length += value.length;
  }
}

/** One attempt, from the original URL: the one it redirects to expires. */
async function attempt(url: string, received: Received, { signal, priority = 'auto', stalledMs = STALLED_MS }: FetchAudioOptions): Promise<void> {
  const stalled = new AbortController();
  const within = deadline(stalled, stalledMs);
  const headers: Record<string, string> = received.length > 0 ? { Range: `bytes=${received.length}-` } : {};
  const request = fetch(new URL(url, document.baseURI), {
    // Browsers make requests for a cached address wait for each other, and the media element is to come first.
    cache: 'no-store',
    credentials: 'same-origin',
    headers,
    priority,
    signal: anySignal([signal, stalled.signal]),
  });
  const response = await within(request);
  const etag = response.headers.get('ETag');
  const continues = response.status === 206 && etag !== null && etag === received.etag;
  // 416: the file was already complete, or has changed.
  if (isRefusal(response.status) && response.status !== 416)
    throw response.redirected ? new StorageRefused(`the storage answered with status ${response.status}`) : new AudioRefused(response.status);
  if (!continues) Object.assign(received, { chunks: [], length: 0, etag });
  if (!response.ok || !response.body || (response.status === 206 && !continues)) throw new TypeError(`audio answered with status ${response.status}`);
  await readAll(response.body, received, within);
}

function joined({ chunks, length }: Received): ArrayBuffer {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes.buffer;
}

/** Downloads a file, with retry and resume. @throws AudioRefused, the error of the last attempt, or the signal's reason */
export async function fetchAudio(url: string, options: FetchAudioOptions): Promise<ArrayBuffer> {
  const received: Received = { chunks: [], length: 0, etag: null };
  const delays = [...(options.retryDelaysMs ?? RETRY_DELAYS_MS)];
  for (;;) {
    try {
      await attempt(url, received, options);
      return joined(received);
    } catch (error) {
      // One retry gets a fresh URL; more would not help.
      if (error instanceof StorageRefused) delays.splice(1);
      const delay = delays.shift();
      if (options.signal.aborted || error instanceof AudioRefused || delay === undefined) throw error;
      await retryTime(delay, options.signal);
    }
  }
}
