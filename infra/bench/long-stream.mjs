// Latency of a command on a project of 20,000 events, compared with one of 100: warm, cold (first command after a restart), and uncached in a warm process.
// Both streams are created by real commands on one log. Usage: node infra/bench/long-stream.mjs [--events 20000] [--rounds 9] [--warm 40]   (build first)
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { growProject, withStores } from '../faults/lib/long-project.mjs';
import { startProgram } from '../faults/lib/program.mjs';
import { seeded } from '../faults/lib/seeded.mjs';
import { aProject, person } from '../faults/lib/studio.mjs';

const { values } = parseArgs({
  options: { events: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '9' }, warm: { type: 'string', default: '40' } },
});
const LENGTHS = [100, Number(values.events)];

const sorted = (times) => times.toSorted((a, b) => a - b);
const median = (times) => sorted(times)[Math.floor(times.length / 2)];

const spread = (times) => `${sorted(times)[0].toFixed(1)} to ${sorted(times).at(-1).toFixed(1)}`;

/** Posts a comment; returns its latency in milliseconds. */
async function comment(who, projectId) {
  const { status, ms, error } = await who.call('POST', '/api/comments', { projectId, submission: { content: 'Here' } });
  if (status !== 201) throw new Error(`posting a comment returned ${status} ${error ?? ''}`);
  return ms;
}

/** Comments on all projects in turn; returns latencies by stream length. */
async function inTurn(who, projects, times) {
  const taken = new Map(projects.map(({ length }) => [length, []]));
  for (let at = 0; at < times; at += 1) {
    const order = at % 2 === 0 ? projects : projects.toReversed();
    for (const { projectId, length } of order) taken.get(length).push(await comment(who, projectId));
  }
  return taken;
}

const folder = await mkdtemp(join(tmpdir(), 'roughmix-bench-'));
let program = await startProgram({ folder });
try {
  const owner = await person(program.url, 'Ben');
  const other = await person(program.url, 'Wim');
  const projects = [];
  for (const length of LENGTHS) projects.push({ length, ...(await aProject(owner, { collaborators: [other] })) });
  const spare = (await aProject(owner)).projectId;
  await program.stop();
  const began = performance.now();
  await withStores(folder, async (platform) => {
    for (const each of projects) await growProject(platform, { ...each, uids: [owner.uid, other.uid], random: seeded(1) });
  });
  console.log(`streams of ${LENGTHS.join(' and ')} events created in ${Math.round((performance.now() - began) / 1_000)} s`);
  const taken = {
    warm: new Map(LENGTHS.map((each) => [each, []])),
    cold: new Map(LENGTHS.map((each) => [each, []])),
    uncached: new Map(LENGTHS.map((each) => [each, []])),
  };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const { projectId, length } of round % 2 === 0 ? projects : projects.toReversed()) {
      program = await startProgram({ folder });
      taken.cold.get(length).push(await comment(owner.at(program.url), projectId));
      await program.stop();
    }
    program = await startProgram({ folder });
    const who = owner.at(program.url);
    for (let at = 0; at < 30; at += 1) await comment(who, spare);
    for (const { projectId, length } of round % 2 === 0 ? projects : projects.toReversed()) taken.uncached.get(length).push(await comment(who, projectId));
    const warm = await inTurn(who, projects, Number(values.warm));
    for (const { length } of projects) taken.warm.get(length).push(median(warm.get(length)));
    await program.stop();
  }
  console.table(
    Object.entries(taken).map(([way, times]) => {
      const [short, long] = LENGTHS.map((length) => times.get(length));
      return {
        way,
        rounds: short.length,
        [`${LENGTHS[0]} events, ms`]: median(short).toFixed(1),
        'spread ': spread(short),
        [`${LENGTHS[1]} events, ms`]: median(long).toFixed(1),
        spread: spread(long),
        ratio: (median(long) / median(short)).toFixed(2),
        bar: '1.50',
      };
    }),
  );
} finally {
  if (program.isAlive) await program.kill();
  await rm(folder, { recursive: true, force: true });
}
