// A process to be killed: appends until then and prints the event ids of each acknowledged append.
// node infra/faults/lib/log-writer.mjs FILE WRITERS
import { EmbeddedEventStore, someEvents } from './log-work.mjs';
import { appendNext } from '../../../backend/dist/testing/append-next.js';

const [, , file, writers] = process.argv;
const threads = [];
process.on('worker', (worker) => threads.push(worker));
const store = await EmbeddedEventStore.open({ file });
process.stdout.write('open\n');
// On SIGUSR2 only the writer thread crashes.
process.on('SIGUSR2', () => threads.at(-1)?.postMessage({ kind: 'append', items: null, last: true }));

async function write(writer) {
  for (let n = 0; ; n += 1) {
    const events = someEvents(1 + (n % 3), n % 700);
    try {
      await appendNext(store, `kill-${writer % 8}`, events);
      process.stdout.write(`${events.map((event) => event.id).join(' ')}\n`);
    } catch (error) {
      if (error.name !== 'ServiceUnavailable') throw error;
      process.stdout.write('away\n');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

await Promise.all(Array.from({ length: Number(writers) }, (_, writer) => write(writer)));
