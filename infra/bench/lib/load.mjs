// A closed loop over keep-alive connections, and which processor who runs on.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Pool } from 'undici';
import { quantile } from './backends.mjs';

const DEADLINE_MS = 30_000;
/** Asked before anybody is put on one of them. */
const PROCESSORS = availableParallelism();

/** Puts every thread of a process on one processor, where there are two and `taskset` is installed. @returns whether it was done */
export function pin(pid, processor) {
  if (PROCESSORS < 2) return false;
  try {
    execFileSync('taskset', ['-acp', String(processor), String(pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // not installed: the figures are of a machine shared by both, as the table says
  }
}

/** Memory of a process now and at most, in MB. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024);
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}

/** A tick of the kernel's accounts, as Linux has it on every processor that Node runs on. */
const TICK_MS = 10;

/** What a process has used of processors so far, in milliseconds. */
export function processorTimeOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/**
 * As many requests at a time as there are connections, each sent when the one before it is answered whole.
 * @param {string} url
 * @param {{ connections: number, seconds: number, status: number, request: (nth: number) => import('undici').Dispatcher.RequestOptions }} load
 *   `status`: what every answer has to be; everything else counts as failed
 * @returns {Promise<{ perSecond: number, megabytesPerSecond: number, p50: number, p99: number, answered: number, failed: number }>}
 *   times in milliseconds, of answers alone
 */
export async function closedLoop(url, { connections, seconds, status, request }) {
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: DEADLINE_MS, bodyTimeout: DEADLINE_MS });
  const took = [];
  let bytes = 0;
  let failed = 0;
  let sent = 0;
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const ask = async () => {
    const at = performance.now();
    try {
      const answer = await pool.request(request((sent += 1)));
      for await (const chunk of answer.body) bytes += chunk.length;
      if (answer.statusCode === status) took.push(performance.now() - at);
      else failed += 1;
    } catch {
      failed += 1; // counted and printed beside the speed
    }
  };
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) await ask();
    }),
  );
  const lasted = (performance.now() - begun) / 1_000;
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
