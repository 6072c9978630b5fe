import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectionStatus, RebuildAnswer } from '@roughmix/contracts/admin/admin.view.js';
import { ProjectorRole } from '../platform/projections/projector-role.js';
import { slices } from '../slices.js';
import { withOfflineProgram } from './offline-program.js';
import { type OperationContext, type Operation, OperationError } from './operation.js';
import { statusOf } from './projections-status.operation.js';
import { askServer, singleArgument } from './operation-helpers.js';

const POLL_MS = 250;
const LOG_EVERY = 20;

/** Rebuilds read models beside the served ones. */
export const projectionsRebuild: Operation = {
  name: 'projections rebuild',
  about: 'rebuilds a read model beside the served one and replaces it once it has caught up; parked streams are retried',
  usage: '<projector> | --all',
  options: { all: { type: 'boolean' } },
  takesNames: true,
  async run(context) {
    const names = requestedProjectors(context);
    let isClean = true;
    for (const name of names) isClean = (await rebuild(context, name)) && isClean;
    return isClean ? 0 : 1;
  },
};

function requestedProjectors(context: OperationContext): readonly string[] {
  const known = slices.projectors.map(({ name }) => name);
  if (context.values.all === true && context.rest.length === 0) return known;
  const name = singleArgument(context, `projections rebuild: name one projector (${known.join(', ')}), or --all`);
  if (!known.includes(name)) throw new OperationError(`projections rebuild: unknown projector ${name}; there are ${known.join(', ')}`);
  return [name];
}

/** False if streams were parked again. */
async function rebuild(context: OperationContext, projector: string): Promise<boolean> {
  const started = await askServer<RebuildAnswer>(context, { path: `/projections/${encodeURIComponent(projector)}/rebuild` });
  const done = started === null ? await rebuildOffline(context, projector) : await waitUntilServed(context, started, () => statusOf(context));
  if (done === null) return true;
  await context.print(`${projector}: generation ${done.generation} is served, at position ${done.checkpoint}`);
  for (const { stream, position, type, reason } of done.parkedStreams) await context.print(`  parked: ${stream} from ${position} on (${type}: ${reason})`);
  return done.parkedStreams.length === 0;
}

async function rebuildOffline(context: OperationContext, projector: string): Promise<ProjectionStatus | null> {
  return withOfflineProgram(context.config, async (program) => {
    const runner = program.get(ProjectorRole);
    const generation = await runner.rebuild(projector);
    if (generation === null) throw new OperationError(`projections rebuild: unknown projector ${projector}`);
    context.security.record('readmodels.rebuilt', { target: projector });
    return waitUntilServed(context, { projector, generation }, () => runner.status());
  });
}

/** Waits until a generation is served; null if the operator interrupts the wait: a running program continues by itself. */
async function waitUntilServed(
  context: OperationContext,
  { projector, generation }: RebuildAnswer,
  readStatus: () => Promise<readonly ProjectionStatus[]>,
): Promise<ProjectionStatus | null> {
  for (let polls = 1; !context.signal.aborted; polls += 1) {
    const status = (await readStatus()).find((each) => each.projector === projector);
    if (status === undefined) throw new OperationError(`projections rebuild: unknown projector ${projector}`);
    if (status.generation >= generation) return status;
    if (polls % LOG_EVERY === 0) context.log(`${projector}: at ${status.rebuild?.checkpoint ?? 0}, ${status.rebuild?.lag ?? 0} events to go`);
    await pause(POLL_MS);
  }
  return null;
}
