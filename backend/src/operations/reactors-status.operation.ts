import type { ReactorsAnswer } from '@roughmix/contracts/admin/admin.view.js';
import { storedReactors } from '../platform/reactors/stored-reactors.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import type { Asked, Operation } from './operation.js';
import { askServer, dataFile, withLog } from './read-models-desk.js';
import { heldByLine, tableOf } from './table.js';

/** Tells how far every reactor has come. */
export const reactorsStatus: Operation = {
  name: 'reactors status',
  about: 'how far every reactor has come, and which reactions it has parked and why',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  async run(asked) {
    const { reactors, heldBy } = await answerOf(asked);
    if (asked.values.json === true) {
      await asked.say(JSON.stringify({ reactors, heldBy }));
      return 0;
    }
    if (heldBy !== undefined) await asked.say(heldByLine('reactors run', heldBy));
    const rows = reactors.map(({ reactor, checkpoint, lag, parked }) => [reactor, checkpoint, lag, parked.length]);
    for (const line of tableOf(['reactor', 'checkpoint', 'lag', 'parked'], rows)) await asked.say(line);
    const parked = reactors.flatMap(({ reactor, parked: all }) => all.map(({ position, stream, type, reason }) => [reactor, position, stream, type, reason]));
    if (parked.length > 0) for (const line of ['', ...tableOf(['reactor', 'position', 'stream', 'type', 'reason'], parked)]) await asked.say(line);
    return 0;
  },
};

/** Asked of the running program, else read from where it is written down. */
async function answerOf(asked: Asked): Promise<ReactorsAnswer> {
  const answer = await askServer<ReactorsAnswer>(asked, { method: 'GET', path: '/reactors' });
  if (answer !== null) return answer;
  return withLog(asked, async (head) => {
    const vault = await EmbeddedVault.open({ file: dataFile(asked, 'vault.db') });
    try {
      return { reactors: await storedReactors(vault, head) };
    } finally {
      await vault.close();
    }
  });
}
