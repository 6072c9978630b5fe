import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nobody has, below those that outgoing connections take: a killed server finds it free again. */
export async function freePort() {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
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
