import { once } from 'node:events';
import { createServer } from 'node:net';

/** Given away already: whoever asked may not listen yet. */
const given = new Set();

/** A port that nobody has, below those that outgoing connections take: a killed server finds it free again. */
export async function freePort() {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
    if (given.has(port)) continue;
    given.add(port);
    const trial = createServer().listen(port, '127.0.0.1');
    const isFree = await once(trial, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    trial.close();
    await once(trial, 'close');
    return String(port);
  }
  throw new Error('found no free port');
}
