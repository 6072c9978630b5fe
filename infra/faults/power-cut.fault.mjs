// Promise: everything acknowledged before a power cut is stored
// Breaks: a copy of the file system's image, taken while 32 writers append, is mounted
// Gate: short form
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EmbeddedEventStore, faultsOf } from './lib/log-work.mjs';
import { between } from './lib/seeded.mjs';

const VICTIM = fileURLToPath(new URL('lib/log-writer.mjs', import.meta.url));
const IMAGE_BYTES = 64 * 1024 * 1024;
const WRITERS = 32;

const run = (command, ...args) => spawnSync(command, args, { encoding: 'utf8' });

function mount(image, place, skip) {
  mkdirSync(place, { recursive: true });
  const { status, stderr, error } = run('mount', '-o', 'loop', image, place);
  if (status !== 0) skip(`an image of a file system cannot be mounted: ${(error?.message ?? stderr).trim()}`);
}

/**
 * Runs writers on the image's log and copies the image as a power cut would leave it: with all synced data and any other data the system happened to have
 * written. The process is stopped during the copy, so that the copy is consistent.
 * @returns the appends acknowledged before the copy began
 */
async function copiedWhileWriting({ image, place, copy, milliseconds }) {
  const child = spawn(process.execPath, [VICTIM, join(place, 'log.db'), String(WRITERS)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const appends = [];
  const lines = createInterface({ input: child.stdout });
  const opened = new Promise((resolve) => lines.once('line', resolve));
  lines.on('line', (text) => text.length % 37 === 36 && appends.push(text.split(' ')));
  await opened;
  await pause(milliseconds);
  child.kill('SIGSTOP');
  // Acknowledgements from before the stop are read before the copy starts.
  await pause(50);
  const told = appends.length;
  copyFileSync(image, copy);
  child.kill('SIGKILL');
  await ended;
  return appends.slice(0, told);
}

export const fault = {
  name: 'power-cut',
  async run({ random, short, folder, print, wrong, count, skip }) {
    const image = join(folder, 'disk.img');
    writeFileSync(image, '');
    truncateSync(image, IMAGE_BYTES);
    const made = run('mkfs.ext4', '-q', '-F', image);
    if (made.error || made.status !== 0) skip(`mkfs.ext4 does not work here: ${(made.error?.message ?? made.stderr).trim()}`);
    const place = join(folder, 'disk');
    mount(image, place, skip);
    const acknowledged = [];
    try {
      for (let round = 1; round <= (short ? 2 : 25); round += 1) {
        const milliseconds = between(random, 50, 600);
        const copy = join(folder, `copy-${round}.img`);
        acknowledged.push(...(await copiedWhileWriting({ image, place, copy, milliseconds })));
        await openCopy({
          copy,
          place: join(folder, 'after'),
          acknowledged,
          skip,
          wrong,
          print: (text) => print(`round ${round}, cut after ${milliseconds} ms: ${text}`),
        });
        count('power cuts');
      }
    } finally {
      run('umount', '-l', place);
    }
    count('appends acknowledged', acknowledged.length);
  },
};

async function openCopy({ copy, place, acknowledged, skip, wrong, print }) {
  mount(copy, place, skip);
  try {
    const store = await EmbeddedEventStore.open({ file: join(place, 'log.db') });
    for (const sentence of await faultsOf(store, acknowledged)) wrong(sentence);
    const { droppedBytes, missingBytes } = store.opened;
    if (missingBytes > 0) wrong(`${missingBytes} synced bytes are missing`);
    print(`${acknowledged.length} appends acknowledged so far, head ${await store.head()}, ${droppedBytes} torn bytes dropped`);
    await store.close();
  } catch (error) {
    wrong(`the log of the copy does not open: ${error.message}`);
  } finally {
    // Connections awaiting garbage collection still hold its files.
    run('umount', '-l', place);
  }
}
