// kill -9 under load: every acknowledged append must be there exactly once afterwards.
// node infra/faults/kill-append.mjs [--rounds 20] [--seed 1] [--writers 32]   (build the backend first)
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EmbeddedEventStore } from '../../backend/dist/platform/event-store/embedded-event-store.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    writers: { type: 'string', default: '32' },
    child: { type: 'string' },
  },
});
const writers = Number(values.writers);

/** A small generator of numbers in [0, 1) that a seed repeats (mulberry32). */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The victim: writers that append without end and print the ids of each append once it is acknowledged. */
async function write(file) {
  const store = await EmbeddedEventStore.open({ file });
  process.stdout.write('open\n');
  const meta = { actorUid: null, at: Date.now(), commandId: 'kill', correlationId: 'kill', causationId: null };
  const one = async (writer) => {
    for (let n = 0; ; n++) {
      const events = Array.from({ length: 1 + (n % 3) }, () => ({ id: randomUUID(), type: 'KillTried', data: { writer, n, text: 'x'.repeat(n % 700) }, meta }));
      await store.append(`kill-${writer % 8}`, 'any', events);
      process.stdout.write(`${events.map((event) => event.id).join(' ')}\n`);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => one(writer)));
}

/** Starts the victim, kills it `milliseconds` after it opened, and gives the appends that it had acknowledged. */
async function killedAfter(file, milliseconds) {
  const self = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [self, '--child', file, '--writers', String(writers)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const appends = [];
  let killing = false;
  for await (const text of createInterface({ input: child.stdout })) {
    if (text === 'open') {
      setTimeout(() => {
        killing = true;
        child.kill('SIGKILL');
      }, milliseconds);
    } else if (text.length % 37 === 36) appends.push(text.split(' ')); // a last line may have been cut off by the kill
  }
  await ended;
  if (!killing) throw new Error('the victim ended before it was killed');
  return appends;
}

/** What is wrong with the log, as sentences; [] when all is well. */
async function faults(store, appends) {
  const wrong = [];
  const seen = new Map();
  const next = new Map();
  const head = await store.head();
  for (let after = 0; after < head;) {
    const page = await store.readAll({ after });
    if (page.length === 0) return [...wrong, `nothing behind position ${after}, the head is ${head}`];
    for (const event of page) {
      if (event.position !== after + 1) wrong.push(`a gap before position ${event.position}`);
      if (event.revision !== (next.get(event.stream) ?? 0)) wrong.push(`${event.stream} is not dense at ${event.revision}`);
      if (seen.has(event.id)) wrong.push(`${event.id} is there twice`);
      seen.set(event.id, event);
      next.set(event.stream, event.revision + 1);
      after = event.position;
    }
  }
  for (const ids of appends) {
    const there = ids.map((id) => seen.get(id)?.position);
    if (there.includes(undefined)) wrong.push(`acknowledged and lost: ${ids.join(' ')}`);
    else if (there.some((position, i) => position !== there[0] + i)) wrong.push(`not together: ${ids.join(' ')}`);
  }
  const verified = await store.verify();
  if (verified !== head) wrong.push(`verified up to ${verified}, the head is ${head}`);
  return wrong;
}

async function main() {
  const random = seeded(Number(values.seed));
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-kill-'));
  const file = join(folder, 'log.db');
  const acknowledged = [];
  let bad = 0;
  try {
    for (let round = 1; round <= Number(values.rounds); round++) {
      const milliseconds = Math.round(random() * 700);
      acknowledged.push(...(await killedAfter(file, milliseconds)));
      const started = performance.now();
      const store = await EmbeddedEventStore.open({ file });
      const openMs = Math.round(performance.now() - started);
      const wrong = await faults(store, acknowledged);
      const { droppedBytes, verifiedRows } = store.opened;
      console.log(
        `round ${round}: killed after ${milliseconds} ms, ${acknowledged.length} appends acknowledged so far, head ${await store.head()}, opened in ${openMs} ms (${verifiedRows} rows verified, ${droppedBytes} torn bytes dropped), ${wrong.length} faults`,
      );
      for (const sentence of wrong.slice(0, 10)) console.log(`  ${sentence}`);
      bad += wrong.length;
      await store.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  console.log(`${values.rounds} rounds, seed ${values.seed}: ${acknowledged.length} acknowledged appends, ${bad} faults`);
  if (bad > 0) process.exitCode = 1;
}

await (values.child ? write(values.child) : main());
