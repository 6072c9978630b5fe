// Promise: the sockets of a session that ends, and no others, are closed within 5 s
// Breaks: a user signs out, changes the password or is erased, or a session expires or is ended by another server
// Gate: backend/src/platform/live/socket-watch.live.spec.ts "a session that ends in another process closes its sockets, and no others"
// Gate: backend/src/users/credentials.live.spec.ts "a changed password closes the sockets of other sessions, and the own ones stay"
// Gate: backend/src/users/erasures.api.spec.ts "is signed out everywhere, and their sockets are closed"
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { Client } from './lib/client.mjs';
import { ADMIN_KEY, startProgram } from './lib/program.mjs';
import { between } from './lib/seeded.mjs';
import { listen } from './lib/socket.mjs';
import { aProject, PASSWORD, person, signIn } from './lib/studio.mjs';

const PROMISED_MS = 5_000;
/** For the short form, on shared machines. */
const BUSY_MS = 8_000;

/** Changes a user's sessions directly in the vault, as another server would. */
function inVault(folder, uid, statement) {
  const vault = new DatabaseSync(join(folder, 'vault.db'), { timeout: 5_000 });
  try {
    const { changes } = vault.prepare(`${statement} WHERE collection = 'sessions' AND json_extract(body, '$.uid') = ?`).run(uid);
    if (changes === 0) throw new Error('no session was found in the vault');
  } finally {
    vault.close();
  }
}

/** The ways a session can end. `all`: every session of the user ends. */
const ENDS = {
  'signing out': { all: false, end: ({ who }) => who.call('POST', '/api/auth/logout') },
  'the password is changed elsewhere': {
    all: false,
    end: ({ again }) => again.must('POST', '/api/auth/password', { currentPassword: PASSWORD, newPassword: 'brushes-on-a-snare' }),
  },
  'the account is erased': {
    all: true,
    end: ({ program, who }) => new Client(program.url).must('POST', `/api/admin/${ADMIN_KEY}/users/erase`, { user: who.uid }),
  },
  'its time is over': {
    all: true,
    end: ({ folder, who }) => inVault(folder, who.uid, `UPDATE records SET body = json_set(body, '$.expiresAt', ${Date.now()})`),
  },
  'another server ended it': { all: true, end: ({ folder, who }) => inVault(folder, who.uid, 'DELETE FROM records') },
};

async function endOne(kind, { program, folder, owner, most, wrong, count }) {
  const { all, end } = ENDS[kind];
  const who = await person(program.url, `Eda${count.people}`);
  const again = await signIn(program.url, who.email, who);
  const { projectId } = await aProject(owner, { viewers: [{ who, access: 3 }] });
  const [first, second, elsewhere, others] = await Promise.all([who, who, again, owner].map((each) => listen(each)));
  for (const each of [first, second, elsewhere, others]) await each.join(projectId);
  const begun = performance.now();
  await end({ program, folder, who, again });
  const ending = all ? [first, second, elsewhere] : [first, second];
  for (const each of ending) await each.disconnected(most + 2_000).catch(() => undefined);
  const milliseconds = Math.round(performance.now() - begun);
  if (ending.some(({ socket }) => socket.connected)) wrong(`${kind}: a socket outlives its session by more than ${most + 2_000} ms`);
  else if (milliseconds > most) wrong(`${kind}: the sockets were closed only after ${milliseconds} ms`);
  const staying = all ? [others] : [elsewhere, others];
  if (staying.some(({ socket }) => !socket.connected)) wrong(`${kind}: a socket of another session was closed too`);
  const received = ending.map((each) => each.received.length);
  await owner.must('PUT', `/api/projects/${projectId}`, { submission: { description: 'behind closed doors' } });
  await others.ask('login');
  if (ending.some((each, at) => each.received.length > received[at])) wrong(`${kind}: a message was received after the end`);
  const refused = await listen(who).then(
    () => 'let in',
    ({ message }) => message,
  );
  if (refused !== 'auth.required') wrong(`${kind}: reconnecting was answered ${refused}`);
  for (const each of [first, second, elsewhere, others]) each.close();
  return milliseconds;
}

/** Sockets that connect and join while the session ends must not stay connected. */
async function endWhileComing({ program, random, most, wrong, nth }) {
  const who = await person(program.url, `Evi${nth}`);
  const { projectId } = await aProject(who);
  const coming = Array.from({ length: 8 }, async () => {
    const each = await listen(who);
    await each.ask('in-project', { projectId }, 1_000).catch(() => undefined); // closed before it could join
    return each;
  });
  const ending = pause(between(random, 0, 80)).then(() => who.call('POST', '/api/auth/logout'));
  const came = (await Promise.allSettled(coming)).flatMap(({ value }) => value ?? []);
  await ending;
  for (const each of came) await each.disconnected(most).catch(() => wrong('a socket that connected while its session ended stays open'));
  return came.length;
}

export const fault = {
  name: 'sessions-end',
  alone: true,
  async run({ random, short, folder, print, wrong, count }) {
    const program = await startProgram({ folder });
    const owner = await person(program.url, 'Olga');
    const most = short ? BUSY_MS : PROMISED_MS;
    const ends = await Promise.all(
      Object.keys(ENDS).map(async (kind, at) => {
        count('endings');
        return `${kind}: ${await endOne(kind, { program, folder, owner, most, wrong, count: { people: at } })} ms`;
      }),
    );
    print(ends.join('; '));
    for (let nth = 0; nth < (short ? 2 : 20); nth += 1) {
      count('sockets that connected while their session ended', await endWhileComing({ program, random, most, wrong, nth }));
    }
    const { code } = await program.stop();
    if (code !== 0) wrong(`the program exited with ${code} after SIGTERM`);
  },
};
