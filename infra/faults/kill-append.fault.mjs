// Promise: every acknowledged append is stored once
// Breaks: kill -9 of a process with 32 writers on the bare log, and loss of its writer thread
// Gate: backend/src/platform/event-store/embedded-faults.spec.ts "after a crash every acknowledged event is stored and its checksums match"
// Gate: backend/src/platform/sqlite/lost-thread.spec.ts "replaces a lost writer thread: nothing acknowledged is missing, and writing and reading continue"
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EmbeddedEventStore, faultsOf } from './lib/log-work.mjs';
import { between } from './lib/seeded.mjs';

const VICTIM = fileURLToPath(new URL('lib/log-writer.mjs', import.meta.url));
const WRITERS = 32;
/** Timeout for replacing a lost writer thread. */
const THREAD_BACK_MS = 30_000;

/**
 * Starts the victim process on a log and kills it `milliseconds` after it opened. With `threadAfter` its writer thread is ended first, and the process is
 * killed `milliseconds` after it appends again.
 * @returns the acknowledged appends, and how many of them came after the thread ended
 */
async function killedAfter(file, { milliseconds, threadAfter }) {
  const child = spawn(process.execPath, [VICTIM, file, String(WRITERS)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const appends = [];
  let [killing, isUnavailable, again] = [false, false, 0];
  const kill = () => {
    killing = true;
    child.kill('SIGKILL');
  };
  let due = null;
  for await (const text of createInterface({ input: child.stdout })) {
    if (text === 'open') {
      if (threadAfter !== null) setTimeout(() => child.kill('SIGUSR2'), threadAfter);
      due = setTimeout(kill, threadAfter === null ? milliseconds : THREAD_BACK_MS);
    } else if (text === 'away') isUnavailable = true;
    // The kill may have truncated the last line.
    else if (text.length % 37 === 36) {
      appends.push(text.split(' '));
      if (isUnavailable && again++ === 0) setTimeout(kill, milliseconds);
    }
  }
  clearTimeout(due);
  await ended;
  if (!killing) throw new Error('the victim ended before it was killed');
  return { appends, again };
}

export const fault = {
  name: 'kill-append',
  async run({ random, short, folder, print, wrong, count }) {
    const file = join(folder, 'log.db');
    const acknowledged = [];
    for (let round = 1; round <= (short ? 3 : 15); round += 1) {
      const threadAfter = round % 3 === 0 ? between(random, 100, 400) : null;
      const milliseconds = between(random, 0, 700);
      const { appends, again } = await killedAfter(file, { milliseconds, threadAfter });
      acknowledged.push(...appends);
      if (threadAfter !== null) count('appends after the thread was ended', again);
      if (threadAfter !== null && again === 0) wrong('nothing was appended after the writer thread was ended');
      const started = performance.now();
      const store = await EmbeddedEventStore.open({ file });
      const openMs = Math.round(performance.now() - started);
      for (const sentence of await faultsOf(store, acknowledged)) wrong(sentence);
      const { droppedBytes, missingBytes, verifiedRows } = store.opened;
      if (missingBytes > 0) wrong(`${missingBytes} synced bytes are missing`);
      const opened = `opened in ${openMs} ms (${verifiedRows} rows verified, ${droppedBytes} torn bytes dropped)`;
      print(`round ${round}: killed after ${milliseconds} ms, ${acknowledged.length} acknowledged so far, head ${await store.head()}, ${opened}`);
      await store.close();
    }
    count('appends acknowledged', acknowledged.length);
  },
};
