// Compares what the server measures in every file of some folders with what ffmpeg measures, prints a table, and exits with 1 on a difference.
// ffmpeg weighs every speaker behind the listener 1.41, BS.1770-4 only those from 60 to 120 degrees: layouts with a back centre and 7.1 differ by up to 0.5 LU.
// Usage: node infra/bench/judge.mjs <folder>…   (after npm run build; FFMPEG_PATH names another ffmpeg; skips without one)
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAudioWorker } from '../../backend/dist/media/audio-worker.js';

const LIMITS = { seconds: 0.005, lufs: 0.1, decibels: 0.2 };
/** Below this the server and ffmpeg count audio as silence, in LUFS. */
const SILENCE = -70;
const FFMPEG = process.env.FFMPEG_PATH ?? 'ffmpeg';
const run = promisify(execFile);

const folders = process.argv.slice(2);
if (folders.length === 0) {
  process.stderr.write('Usage: node infra/bench/judge.mjs <folder>…\n');
  process.exit(2);
}
try {
  await run(FFMPEG, ['-version']);
} catch {
  process.stdout.write('judge skipped: there is no ffmpeg (FFMPEG_PATH names one that is not on the PATH)\n');
  process.exit(0);
}

/** Channels, rate and length of what ffmpeg decodes; null if it cannot. */
async function decodedByFfmpeg(path) {
  const child = spawn(FFMPEG, ['-v', 'error', '-i', path, '-map', '0:a:0', '-c:a', 'pcm_s16le', '-f', 'wav', '-bitexact', 'pipe:1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let head = Buffer.alloc(0);
  let bytes = 0;
  for await (const piece of child.stdout) {
    if (head.length < 256) head = Buffer.concat([head, piece.subarray(0, 256)]);
    bytes += piece.length;
  }
  const data = head.indexOf('data');
  if (data < 0) return null;
  const [channels, rate] = [head.readUInt16LE(22), head.readUInt32LE(24)];
  return { channels, seconds: (bytes - data - 8) / (2 * channels * rate) };
}

async function loudnessByFfmpeg(path) {
  const { stderr } = await run(FFMPEG, ['-hide_banner', '-nostats', '-i', path, '-map', '0:a:0', '-af', 'ebur128=peak=true', '-f', 'null', '-'], {
    maxBuffer: 1 << 28,
  });
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  const figure = (label) => {
    const [, value] = new RegExp(`${label}:\\s+(-?[\\d.]+|-inf)`).exec(summary) ?? [];
    if (value === undefined) throw new Error(`ffmpeg printed no '${label}' for ${path}`);
    return Number(value.replace('-inf', '-Infinity'));
  };
  return { lufs: figure('I'), peak: figure('Peak') };
}

async function byFfmpeg(path) {
  const decoded = await decodedByFfmpeg(path);
  return decoded && { ...decoded, ...(await loudnessByFfmpeg(path)) };
}

async function byServer(worker, path, outFolder) {
  const probe = await worker.probe(path, (await stat(path)).size);
  if (!probe.ok) return probe;
  const analysis = await worker.analyse(path, { outFolder, duration: probe.duration });
  return analysis.ok ? { ...analysis, probed: probe.duration } : analysis;
}

/** What is different, in words; empty if nothing is. */
function differences(ours, theirs) {
  if (!ours.ok || !theirs) return ours.ok || theirs ? [ours.ok ? 'ffmpeg cannot read it' : `refused: ${ours.code}`] : [];
  const isSilent = theirs.lufs <= SILENCE || ours.loudness === null;
  const found = [];
  if (ours.channels !== theirs.channels) found.push('channels');
  if (Math.abs(ours.duration - theirs.seconds) > LIMITS.seconds) found.push('length');
  if (Math.abs(ours.probed - theirs.seconds) > LIMITS.seconds) found.push(`length before decoding: ${ours.probed}`);
  if (isSilent ? Math.max(theirs.lufs, ours.loudness ?? SILENCE) > SILENCE + LIMITS.lufs : Math.abs(ours.loudness - theirs.lufs) > LIMITS.lufs)
    found.push('loudness');
  if (!isSilent && Math.abs(ours.truePeak - theirs.peak) > LIMITS.decibels) found.push('true peak');
  return found;
}

const worker = createAudioWorker();
const outFolder = await mkdtemp(join(tmpdir(), 'roughmix-judge-'));
const rows = [['file', 'seconds', 'ffmpeg', 'ch', 'ffmpeg', 'LUFS', 'ffmpeg', 'dBTP', 'ffmpeg', 'different']];
const figure = (value, digits) => (value === null || value === undefined || value <= SILENCE ? 'none' : value.toFixed(digits));
let different = 0;
try {
  for (const folder of folders) {
    const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
    for (const { name } of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(folder, name);
      const [ours, theirs] = [await byServer(worker, path, outFolder), await byFfmpeg(path)];
      const found = differences(ours, theirs);
      if (!ours.ok && !theirs) continue;
      different += found.length > 0 ? 1 : 0;
      const pair = (mine, other, digits) => [ours.ok ? figure(mine, digits) : '', theirs ? figure(other, digits) : ''];
      rows.push([
        name,
        ...pair(ours.duration, theirs?.seconds, 3),
        ...pair(ours.channels, theirs?.channels, 0),
        ...pair(ours.loudness, theirs?.lufs, 2),
        ...pair(ours.truePeak, theirs?.peak, 2),
        found.join(', '),
      ]);
    }
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd()}\n`,
    );
  process.stdout.write(`${rows.length - 1} files, ${different} different\n`);
} finally {
  await worker.close();
  await rm(outFolder, { recursive: true });
}
process.exitCode = different > 0 ? 1 : 0;
