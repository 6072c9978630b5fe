// Preloaded into the program: records the latency of each append, and the delay until this process knows that the read models include it. Written to
// VISIBLE_FILE on exit.
import { writeFileSync } from 'node:fs';
import { ReadSide } from '../../../backend/dist/platform/projections/read-side.js';

const stores = '../../../backend/dist/platform/event-store';
const Log = process.env.EVENTSTORE_URL
  ? (await import(`${stores}/eventstoredb-event-store.js`)).EventStoreDbEventStore
  : (await import(`${stores}/embedded-event-store.js`)).EmbeddedEventStore;

const waiting = [];
const appended = [];
const visible = [];

const { append } = Log.prototype;
Log.prototype.append = async function timed(...args) {
  const startedAt = performance.now();
  const answer = await append.apply(this, args);
  const at = performance.now();
  appended.push(at - startedAt);
  waiting.push({ position: answer.position, at });
  return answer;
};

/** Records appends that every read model now includes. */
function noted(real) {
  return function timed(...args) {
    const answer = real.apply(this, args);
    const at = performance.now();
    for (let next = waiting[0]; next !== undefined && next.position <= this.saved.position; next = waiting[0]) {
      visible.push(at - next.at);
      waiting.shift();
    }
    return answer;
  };
}
ReadSide.prototype.reach = noted(ReadSide.prototype.reach);
ReadSide.prototype.serve = noted(ReadSide.prototype.serve);

process.on('exit', () => writeFileSync(process.env.VISIBLE_FILE, JSON.stringify({ appended, visible })));
