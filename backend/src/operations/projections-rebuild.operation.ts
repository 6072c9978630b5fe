import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectionStatus, RebuildAnswer } from '@roughmix/contracts/admin/admin.view.js';
import { ProjectorRole } from '../platform/projections/projector-role.js';
import { slices } from '../slices.js';
import { withOfflineProgram } from './offline-program.js';
import { type Asked, type Operation, OperationError } from './operation.js';
import { statusOf } from './projections-status.operation.js';
import { askServer, theOne } from './read-models-desk.js';

const LOOK_MS = 250;
const TELL_EVERY = 20;

/** Builds read models anew, beside those that are served. */
export const projectionsRebuild: Operation = {
  name: 'projections rebuild',
  about: 'builds a read model anew beside the one that is served, which it replaces when it has caught up; parked streams are taken in again',
  usage: '<projector> | --all',
  options: { all: { type: 'boolean' } },
  takesNames: true,
  async run(asked) {
    const names = wanted(asked);
    let isClean = true;
    for (const name of names) isClean = (await rebuild(asked, name)) && isClean;
    return isClean ? 0 : 1;
  },
};

function wanted(asked: Asked): readonly string[] {
  const known = slices.projectors.map(({ name }) => name);
  if (asked.values.all === true && asked.rest.length === 0) return known;
  const name = theOne(asked, `projections rebuild: name one projector (${known.join(', ')}), or --all`);
  if (!known.includes(name)) throw new OperationError(`projections rebuild: there is no ${name}, only ${known.join(', ')}`);
  return [name];
}

/** False when it parks streams again. */
async function rebuild(asked: Asked, projector: string): Promise<boolean> {
  const begun = await askServer<RebuildAnswer>(asked, { path: `/projections/${encodeURIComponent(projector)}/rebuild` });
  const done = begun === null ? await rebuildOffline(asked, projector) : await served(asked, begun, () => statusOf(asked));
  if (done === null) return true;
  await asked.say(`${projector}: generation ${done.generation} is served, at position ${done.checkpoint}`);
  for (const { stream, position, type, reason } of done.parkedStreams) await asked.say(`  parked: ${stream} from ${position} on (${type}: ${reason})`);
  return done.parkedStreams.length === 0;
}

async function rebuildOffline(asked: Asked, projector: string): Promise<ProjectionStatus | null> {
  return withOfflineProgram(asked.config, async (program) => {
    const runner = program.get(ProjectorRole);
    const generation = await runner.rebuild(projector);
    if (generation === null) throw new OperationError(`projections rebuild: there is no ${projector}`);
    return served(asked, { projector, generation }, () => runner.status());
  });
}

/** Waits until a generation is served; null when the operator does not wait any longer: a running program goes on by itself. */
async function served(
  asked: Asked,
  { projector, generation }: RebuildAnswer,
  look: () => Promise<readonly ProjectionStatus[]>,
): Promise<ProjectionStatus | null> {
  for (let looked = 1; !asked.signal.aborted; looked += 1) {
    const status = (await look()).find((each) => each.projector === projector);
    if (status === undefined) throw new OperationError(`projections rebuild: there is no ${projector}`);
    if (status.generation >= generation) return status;
    if (looked % TELL_EVERY === 0) asked.tell(`${projector}: at ${status.rebuild?.checkpoint ?? 0}, ${status.rebuild?.lag ?? 0} events to go`);
    await pause(LOOK_MS);
  }
  return null;
}
