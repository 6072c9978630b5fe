import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EmbeddedEventStore, faultsOf } from './lib/log-work.mjs';
import { between } from './lib/seeded.mjs';

const VICTIM = fileURLToPath(new URL('lib/log-writer.mjs', import.meta.url));
const WRITERS = 32;
/** As long may a writing thread that ended stay without another. */
const THREAD_BACK_MS = 30_000;

/**
 * Starts the victim on a log and kills it `milliseconds` after it opened; with `threadAfter` its writing thread is ended first, and it is killed
 * `milliseconds` after it appends again.
 * @returns the appends that it had acknowledged, and how many of them after its thread was ended
 */
async function killedAfter(file, { milliseconds, threadAfter }) {
  const child = spawn(process.execPath, [VICTIM, file, String(WRITERS)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const appends = [];
  let [killing, isAway, again] = [false, false, 0];
  const kill = () => {
    killing = true;
    child.kill('SIGKILL');
  };
  let due = null;
  for await (const text of createInterface({ input: child.stdout })) {
    if (text === 'open') {
      if (threadAfter !== null) setTimeout(() => child.kill('SIGUSR2'), threadAfter);
      due = setTimeout(kill, threadAfter === null ? milliseconds : THREAD_BACK_MS);
    } else if (text === 'away') isAway = true;
    // A last line may have been cut off by the kill.
    else if (text.length % 37 === 36) {
      appends.push(text.split(' '));
      if (isAway && again++ === 0) setTimeout(kill, milliseconds);
    }
  }
  clearTimeout(due);
  await ended;
  if (!killing) throw new Error('the victim ended before it was killed');
  return { appends, again };
}

export const fault = {
  name: 'kill-append',
  about: 'kill -9 of a process of 32 writers on the bare log, and the end of its writing thread: every acknowledged append is there once',
  short: true,
  async run({ random, short, folder, say, wrong, count }) {
    const file = join(folder, 'log.db');
    const acknowledged = [];
    for (let round = 1; round <= (short ? 3 : 15); round += 1) {
      const threadAfter = round % 3 === 0 ? between(random, 100, 400) : null;
      const milliseconds = between(random, 0, 700);
      const { appends, again } = await killedAfter(file, { milliseconds, threadAfter });
      acknowledged.push(...appends);
      if (threadAfter !== null) count('appends after the thread was ended', again);
      if (threadAfter !== null && again === 0) wrong('nothing was appended after the writing thread was ended');
      const started = performance.now();
      const store = await EmbeddedEventStore.open({ file });
      const openMs = Math.round(performance.now() - started);
      for (const sentence of await faultsOf(store, acknowledged)) wrong(sentence);
      const { droppedBytes, missingBytes, verifiedRows } = store.opened;
      if (missingBytes > 0) wrong(`${missingBytes} bytes that had been synced are missing`);
      const opened = `opened in ${openMs} ms (${verifiedRows} rows verified, ${droppedBytes} torn bytes dropped)`;
      say(`round ${round}: killed after ${milliseconds} ms, ${acknowledged.length} acknowledged so far, head ${await store.head()}, ${opened}`);
      await store.close();
    }
    count('appends acknowledged', acknowledged.length);
  },
};
