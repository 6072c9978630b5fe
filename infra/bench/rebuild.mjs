// Rebuild of all read models, compared with only reading and parsing the same events: events per second, their ratio, and memory during the rebuild.
// Usage: node infra/bench/rebuild.mjs [--events 200000] [--projects 400] [--rounds 7] [--folder F]   (build first; a given folder is kept and reused)
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedDocumentStore } from '../../backend/dist/platform/documents/embedded-document-store.js';
import { ProjectionRunner } from '../../backend/dist/platform/projections/projection-runner.js';
import { ReadModels } from '../../backend/dist/platform/projections/read-models.js';
import { ReadSide } from '../../backend/dist/platform/projections/read-side.js';
import { slices } from '../../backend/dist/slices.js';
import { seeded } from '../faults/lib/seeded.mjs';
import { growLog, openLog } from './lib/grown-log.mjs';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '200000' },
    projects: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '7' },
    folder: { type: 'string' },
  },
});
const MASTER_KEY = 'bench-master-key-5d1f0a97c3b84e62';
const PAGE = 500;
const SAMPLE_MS = 100;
const megabytes = (bytes) => Math.round(bytes / 2 ** 20);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function readAndParse(store) {
  const startedAt = performance.now();
  let events = 0;
  for (let page = await store.readAll({ after: 0, limit: PAGE }); page.length > 0; page = await store.readAll({ after: page.at(-1).position, limit: PAGE })) {
    events += page.length;
  }
  return (events * 1_000) / (performance.now() - startedAt);
}

/** Builds all read models in an empty database. */
async function rebuild({ store, opened }, folder) {
  const file = join(folder, 'bench-read.db');
  const documents = await EmbeddedDocumentStore.open({ file });
  const log = { info: () => undefined, error: (facts, message) => console.error(message, facts) };
  const parts = { store, documents, opened, log, reads: new ReadModels(documents), readSide: new ReadSide(), graceMs: 0 };
  const runner = new ProjectionRunner(parts);
  const memory = [];
  const sampling = setInterval(() => memory.push(process.memoryUsage().rss), SAMPLE_MS);
  const startedAt = performance.now();
  await runner.start(slices.projectors);
  const milliseconds = performance.now() - startedAt;
  clearInterval(sampling);
  await runner.stop();
  await documents.close();
  for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
  return { speed: ((await store.head()) * 1_000) / milliseconds, memory };
}

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'roughmix-rebuild-')));
await mkdir(folder, { recursive: true });
const isNew = !existsSync(join(folder, 'log.db'));
const data = await openLog(folder, MASTER_KEY);
try {
  if (isNew) await growLog(data, seeded(1), { events: Number(values.events), projects: Number(values.projects) });
  const rounds = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const read = await readAndParse(data.store);
    const { speed, memory } = await rebuild(data, folder);
    const quarters = [0.25, 0.5, 0.75, 1].map((share) => megabytes(memory[Math.max(0, Math.ceil(memory.length * share) - 1)] ?? process.memoryUsage().rss));
    rounds.push({ read, speed, ratio: speed / read, quarters });
  }
  const ratios = rounds.map(({ ratio }) => ratio);
  console.table(
    rounds.map(({ read, speed, ratio, quarters }) => ({
      'read and parsed/s': Math.round(read),
      'rebuilt/s': Math.round(speed),
      ratio: ratio.toFixed(2),
      'RSS in MB at each quarter': quarters.join(' '),
    })),
  );
  console.log(
    `${await data.store.head()} events, ${slices.projectors.length} projectors: ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}), bar 0.3`,
  );
} finally {
  await data.close();
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}
