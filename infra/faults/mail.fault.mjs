import { setTimeout as pause } from 'node:timers/promises';
import { MOODS, PostOffice } from './lib/post-office.mjs';
import { ADMIN_KEY, startProgram } from './lib/program.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { until } from './lib/studio.mjs';

const at = (program) => `${program.url}/api/admin/${ADMIN_KEY}/mail`;

/** Puts a letter on its way; null when the program did not say so. */
async function send(program, to) {
  try {
    const answer = await fetch(at(program), { method: 'POST', body: JSON.stringify({ to }), headers: { 'content-type': 'application/json' } });
    return answer.status === 202 ? (await answer.json()).letter : null;
  } catch {
    return null; // it was killed before it answered
  }
}

const statusOf = async (program) => (await fetch(at(program))).json();

/** Sends letters until the end, each tenth to somebody whom the mail server refuses for good. */
async function write({ programs, letters, until: end }) {
  for (let nth = 0; Date.now() < end; nth += 1) {
    const isRefused = nth % 10 === 9;
    const name = await send(programs.at(-1), `${isRefused ? 'refused' : 'ana'}-${nth}@example.org`);
    if (name !== null) (isRefused ? letters.refused : letters.good).push(name);
    await pause(name === null ? 50 : 30);
  }
}

/** Kills the program with all that it is about to write, and starts it again. */
async function kill(options, programs, count) {
  await programs.at(-1).kill();
  programs.push(await startProgram(options));
  count('kills of the program');
}

/** What must have become of each letter that was acknowledged. */
function compare(post, letters, { status, wrong, count }) {
  const times = new Map();
  for (const name of post.taken) times.set(name, (times.get(name) ?? 0) + 1);
  for (const name of letters.good) if (!times.has(name)) wrong(`acknowledged and lost: letter ${name}`);
  for (const name of letters.refused) {
    if (times.has(name)) wrong(`the letter ${name} was refused for good and taken all the same`);
    if (!status.undelivered.some(({ letter }) => letter === name)) wrong(`the letter ${name} was refused and nobody is told`);
  }
  if (times.has(undefined)) wrong('a letter has no Message-ID');
  count('letters', letters.good.length + letters.refused.length);
  count('letters that were taken twice or more', [...times.values()].filter((n) => n > 1).length);
}

export const fault = {
  name: 'mail',
  about:
    'a mail server that is away, busy, silent or breaks off in its answer, and the program killed beside it: no letter lost, a double has the same Message-ID',
  short: true,
  async run({ random, short, folder, say, wrong, count }) {
    const post = await new PostOffice().open();
    const options = { folder, env: { SMTP_URL: post.url, MAIL_FROM: 'Roughmix <mail@roughmix.example>' } };
    const programs = [await startProgram(options)];
    const letters = { good: [], refused: [] };
    const end = Date.now() + (short ? 5_000 : 40_000);
    const writing = write({ programs, letters, until: end });
    for (let nth = 0; Date.now() < end; nth += 1) {
      await post.become(nth < MOODS.length ? MOODS[nth] : oneOf(random, MOODS));
      count(`times: ${post.mood}`);
      await pause(between(random, 300, short ? 900 : 2_500));
      if (nth % 3 === 2) await kill(options, programs, count);
    }
    await writing;
    await post.become('takes');
    const program = programs.at(-1);
    await until('no letter waits', async () => (await statusOf(program)).waiting === 0, short ? 60_000 : 100_000);
    compare(post, letters, { status: await statusOf(program), wrong, count });
    const { code } = await program.stop();
    if (code !== 0) wrong(`SIGTERM ended the program with ${code}`);
    if (programs.some(({ output }) => output.includes('@example.org'))) wrong('an address stands in what the program wrote');
    await post.close();
    say(`${post.taken.length} times a letter was taken, ${new Set(post.taken).size} of them others`);
  },
};
