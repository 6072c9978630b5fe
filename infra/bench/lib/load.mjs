// A closed-loop load generator over keep-alive connections, and helpers for CPU pinning, CPU time and memory.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Pool } from 'undici';
import { quantile } from './backends.mjs';

const DEADLINE_MS = 30_000;
/** Read before pinning, which reduces it. */
const PROCESSORS = availableParallelism();

/** Pins all threads of a process to one CPU. @returns false if there is only one CPU or `taskset` is not installed */
export function pin(pid, processor) {
  if (PROCESSORS < 2) return false;
  try {
    execFileSync('taskset', ['-acp', String(processor), String(pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // not installed: load and servers share the CPUs, which the output mentions
  }
}

/** Current and peak memory of a process, in MB. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024);
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}

/** The kernel's clock tick (USER_HZ), which is 100 Hz on all architectures that Node supports. */
const TICK_MS = 10;

/** CPU time of a process so far, in milliseconds. */
export function processorTimeOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/**
 * Runs a closed loop: each connection sends its next request after the complete response to the previous one.
 * @param {string} url
 * @param {{ connections: number, seconds: number, status: number, request: (index: number) => import('undici').Dispatcher.RequestOptions }} load
 *   `status`: the expected status; any other response counts as failed
 * @returns {Promise<{ perSecond: number, megabytesPerSecond: number, p50: number, p99: number, answered: number, failed: number }>}
 *   latencies of successful responses in milliseconds
 */
export async function closedLoop(url, { connections, seconds, status, request }) {
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: DEADLINE_MS, bodyTimeout: DEADLINE_MS });
  const took = [];
  let bytes = 0;
  let failed = 0;
  let sent = 0;
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  const send = async () => {
    const at = performance.now();
    try {
      const answer = await pool.request(request((sent += 1)));
      for await (const chunk of answer.body) bytes += chunk.length;
      if (answer.statusCode === status) took.push(performance.now() - at);
      else failed += 1;
    } catch {
      failed += 1; // counted and printed
    }
  };
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) await send();
    }),
  );
  const lasted = (performance.now() - startedAt) / 1_000;
  await pool.close();
  return {
    perSecond: took.length / lasted,
    megabytesPerSecond: bytes / 2 ** 20 / lasted,
    p50: quantile(took, 0.5),
    p99: quantile(took, 0.99),
    answered: took.length,
    failed,
  };
}
