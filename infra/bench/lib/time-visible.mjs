// Loaded before the program: notes how long each append takes, and how long after it was acknowledged this process knows that the read models hold it. Written to
// VISIBLE_FILE at the end.
import { writeFileSync } from 'node:fs';
import { PositionSignal } from '../../../backend/dist/platform/projections/position-signal.js';

const stores = '../../../backend/dist/platform/event-store';
const Log = process.env.EVENTSTORE_URL
  ? (await import(`${stores}/eventstoredb-event-store.js`)).EventStoreDbEventStore
  : (await import(`${stores}/embedded-event-store.js`)).EmbeddedEventStore;

const waiting = [];
const appended = [];
const visible = [];

const { append } = Log.prototype;
Log.prototype.append = async function timed(...args) {
  const begun = performance.now();
  const answer = await append.apply(this, args);
  const at = performance.now();
  appended.push(at - begun);
  waiting.push({ position: answer.position, at });
  return answer;
};

const { reach } = PositionSignal.prototype;
PositionSignal.prototype.reach = function timed(position) {
  const at = performance.now();
  for (let next = waiting[0]; next !== undefined && next.position <= position; next = waiting[0]) {
    visible.push(at - next.at);
    waiting.shift();
  }
  return reach.call(this, position);
};

process.on('exit', () => writeFileSync(process.env.VISIBLE_FILE, JSON.stringify({ appended, visible })));
