// Promise: no e-mail is lost, and duplicates have the same Message-ID
// Breaks: a mail server that is down, busy, silent or disconnects within its answer, with kills of the program
// Gate: backend/src/platform/mail/email-queue.spec.ts "while the server is unavailable e-mails are retried at growing intervals and delivered when it is back; the outage is logged once"
// Gate: backend/src/platform/mail/email-queue.spec.ts "e-mails survive a restart and are delivered by the next process"
import { setTimeout as pause } from 'node:timers/promises';
import { MOODS, MailServer } from './lib/mail-server.mjs';
import { ADMIN_KEY, startProgram } from './lib/program.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { until } from './lib/studio.mjs';

const at = (program) => `${program.url}/api/admin/${ADMIN_KEY}/mail`;

/** Queues an e-mail; null if it was not acknowledged. */
async function send(program, to) {
  try {
    const answer = await fetch(at(program), { method: 'POST', body: JSON.stringify({ to }), headers: { 'content-type': 'application/json' } });
    return answer.status === 202 ? (await answer.json()).letter : null;
  } catch {
    return null; // killed before it answered
  }
}

const statusOf = async (program) => (await fetch(at(program))).json();

/** Sends e-mails until the end, every tenth to an address that the mail server refuses permanently. */
async function write({ programs, emails, until: end }) {
  for (let nth = 0; Date.now() < end; nth += 1) {
    const isRefused = nth % 10 === 9;
    const name = await send(programs.at(-1), `${isRefused ? 'refused' : 'ana'}-${nth}@example.org`);
    if (name !== null) (isRefused ? emails.refused : emails.good).push(name);
    await pause(name === null ? 50 : 30);
  }
}

/** Kills the program and restarts it. */
async function kill(options, programs, count) {
  await programs.at(-1).kill();
  programs.push(await startProgram(options));
  count('kills of the program');
}

/** Checks the outcome of each acknowledged e-mail. */
function compare(post, emails, { status, wrong, count }) {
  const times = new Map();
  for (const name of post.taken) times.set(name, (times.get(name) ?? 0) + 1);
  for (const name of emails.good) if (!times.has(name)) wrong(`acknowledged and lost: e-mail ${name}`);
  for (const name of emails.refused) {
    if (times.has(name)) wrong(`e-mail ${name} was refused permanently but accepted`);
    if (!status.undelivered.some(({ letter }) => letter === name)) wrong(`e-mail ${name} was refused and is not reported`);
  }
  if (times.has(undefined)) wrong('an e-mail has no Message-ID');
  count('e-mails', emails.good.length + emails.refused.length);
  count('e-mails accepted more than once', [...times.values()].filter((n) => n > 1).length);
}

export const fault = {
  name: 'mail',
  async run({ random, short, folder, print, wrong, count }) {
    const post = await new MailServer().open();
    const options = { folder, env: { SMTP_URL: post.url, MAIL_FROM: 'Roughmix <mail@roughmix.example>' } };
    const programs = [await startProgram(options)];
    const emails = { good: [], refused: [] };
    const end = Date.now() + (short ? 5_000 : 40_000);
    const writing = write({ programs, emails, until: end });
    for (let nth = 0; Date.now() < end; nth += 1) {
      await post.become(nth < MOODS.length ? MOODS[nth] : oneOf(random, MOODS));
      count(`times: ${post.mood}`);
      await pause(between(random, 300, short ? 900 : 2_500));
      if (nth % 3 === 2) await kill(options, programs, count);
    }
    await writing;
    await post.become('takes');
    const program = programs.at(-1);
    await until('the e-mail queue is empty', async () => (await statusOf(program)).waiting === 0, short ? 60_000 : 100_000);
    compare(post, emails, { status: await statusOf(program), wrong, count });
    const { code } = await program.stop();
    if (code !== 0) wrong(`the program exited with ${code} after SIGTERM`);
    if (programs.some(({ output }) => output.includes('@example.org'))) wrong('the output of the program contains an address');
    await post.close();
    print(`${post.taken.length} e-mails accepted, ${new Set(post.taken).size} of them different`);
  },
};
