// Probes and analyses every file of a folder as the server does, and prints a table.
// Usage: node infra/bench/analyse.mjs <folder>   (after npm run build)
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAudioWorker } from '../../backend/dist/media/audio-worker.js';

const folder = process.argv[2];
if (!folder) {
  process.stderr.write('Usage: node infra/bench/analyse.mjs <folder>\n');
  process.exit(2);
}

const outFolder = await mkdtemp(join(tmpdir(), 'roughmix-analyse-'));
const worker = createAudioWorker();
const rows = [['file', 'codec', 'rate', 'ch', 'seconds', 'LUFS', 'dBTP', 'levels', 'probe ms', 'analysis ms']];

const timed = async (work) => {
  const start = performance.now();
  return [await work(), (performance.now() - start).toFixed(0)];
};
const figure = (value) => (value === null ? 'none' : value.toFixed(1));

async function measure(name) {
  const path = join(folder, name);
  const { size } = await stat(path);
  const [probe, probeMs] = await timed(() => worker.probe(path, size));
  if (!probe.ok) return [name, probe.code, '', '', '', '', '', '', probeMs, ''];
  const [result, ms] = await timed(() => worker.analyse(path, { outFolder, duration: probe.duration }));
  if (!result.ok) return [name, probe.codec, `${probe.sampleRate}`, `${probe.channels}`, `${probe.duration}: ${result.code}`, '', '', '', probeMs, ms];
  const { codec, sampleRate, channels, duration, loudness, truePeak, levels } = result;
  return [name, codec, `${sampleRate}`, `${channels}`, `${duration}`, figure(loudness), figure(truePeak), `${levels}`, probeMs, ms];
}

try {
  for (const entry of (await readdir(folder, { withFileTypes: true })).filter((item) => item.isFile()).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    rows.push(await measure(entry.name));
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column])).join('  ')}\n`);
} finally {
  await worker.close();
  await rm(outFolder, { recursive: true });
}
