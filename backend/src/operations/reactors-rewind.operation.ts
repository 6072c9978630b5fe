import type { Rewound } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { checkpointOf, rewindTo, TakenCheckpoint } from '../platform/reactors/taken-checkpoint.js';
import { PUBLISH_TO_KAFKA } from '../platform/stream-out/publish-to-kafka.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { positionOf } from './log-file.js';
import { type Operation, type OperationContext, OperationError } from './operation.js';
import { askServer, dataFile, singleArgument, withLog } from './operation-helpers.js';

/** Publishes events again, after a topic was lost or recreated. */
export const reactorsRewind: Operation = {
  name: 'reactors rewind',
  about: `sets the checkpoint of ${PUBLISH_TO_KAFKA} back to a position: the events after it are published again, with the same ids`,
  usage: `${PUBLISH_TO_KAFKA} --to N`,
  options: { to: { type: 'string' } },
  takesNames: true,
  async run(context) {
    const reactor = singleArgument(context, `reactors rewind: name ${PUBLISH_TO_KAFKA}`);
    const position = positionOf('to', context.values.to);
    if (position === null) throw new OperationError('reactors rewind: say where to, as in --to 0');
    const path = `/reactors/${encodeURIComponent(reactor)}/rewind`;
    const { from, to } = (await askServer<Rewound>(context, { path, body: { to: position } })) ?? (await rewindOffline(context, reactor, position));
    await context.print(from > to ? `${reactor}: set back from position ${from} to ${to}` : `${reactor}: is at position ${from}, nothing to set back`);
    return from > to ? 0 : 1;
  },
};

async function rewindOffline(context: OperationContext, reactor: string, position: Position): Promise<Rewound> {
  // Other reactors would act again on what they have acted on.
  if (reactor !== PUBLISH_TO_KAFKA) throw new OperationError(`reactors rewind: only ${PUBLISH_TO_KAFKA} can be set back`);
  return withLog(context, async () => {
    const vault = await EmbeddedVault.open({ file: dataFile(context, 'vault.db') });
    try {
      const from = await checkpointOf(vault, reactor);
      return from > position ? await rewindTo(await TakenCheckpoint.take(vault, reactor), position) : { from, to: from };
    } finally {
      await vault.close();
    }
  });
}
