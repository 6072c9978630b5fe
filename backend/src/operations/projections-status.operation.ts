import type { GenerationStatus, OtherReadModels, ParkedStream, ProjectionsAnswer, ProjectionStatus } from '@roughmix/contracts/admin/admin.view.js';
import { EmbeddedDocumentStore } from '../platform/documents/embedded-document-store.js';
import { storedStatus } from '../platform/projections/projection-status.js';
import { slices } from '../slices.js';
import type { OperationContext, Operation } from './operation.js';
import { askServer, dataFile, withLog } from './operation-helpers.js';
import { heldByLine, tableOf } from './table.js';

const HEAD = ['projector', 'version', 'generation', 'checkpoint', 'lag', 'parked', 'rebuild'];
const PARKED_HEAD = ['projector', 'stream', 'position', 'type', 'reason'];

const progressOf = ({ generation, checkpoint, lag }: GenerationStatus): string =>
  `${generation}: ${Math.floor((checkpoint * 100) / Math.max(1, checkpoint + lag))} %`;

const rowOf = ({ projector, version, generation, checkpoint, lag, parkedStreams, rebuild }: ProjectionStatus): readonly (string | number)[] => [
  projector,
  version,
  generation,
  checkpoint,
  lag,
  parkedStreams.length,
  rebuild === null ? '' : progressOf(rebuild),
];

const parkedRow = (projector: string, { stream, position, type, reason }: ParkedStream): readonly (string | number)[] => [
  projector,
  stream,
  position,
  type,
  reason,
];

const otherLine = ({ edition, heldBy }: OtherReadModels): string => {
  const named = `read models of another version (${edition === '' ? 'unnamed' : edition})`;
  return heldByLine(heldBy, { held: `${named} are built`, none: `${named} are built by no process and will be dropped` });
};

/** Shows the progress of every read model. */
export const projectionsStatus: Operation = {
  name: 'projections status',
  about:
    'the progress of every read model, its parked streams and why, and running rebuilds; with several processes also which one builds them, and which read models of other versions are stored',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  async run(context) {
    const { projections, heldBy, others } = await answerOf(context);
    if (context.values.json === true) {
      await context.print(JSON.stringify({ projections, heldBy, others }));
      return 0;
    }
    if (heldBy !== undefined) await context.print(heldByLine(heldBy, { held: 'read models are built', none: 'no process is building the read models' }));
    for (const each of others ?? []) await context.print(otherLine(each));
    for (const line of tableOf(HEAD, projections.map(rowOf))) await context.print(line);
    const parked = projections.flatMap(({ projector, parkedStreams }) => parkedStreams.map((each) => parkedRow(projector, each)));
    if (parked.length > 0) for (const line of ['', ...tableOf(PARKED_HEAD, parked)]) await context.print(line);
    return 0;
  },
};

export const statusOf = async (context: OperationContext): Promise<readonly ProjectionStatus[]> => (await answerOf(context)).projections;

/** From the running program, else from the stores. */
async function answerOf(context: OperationContext): Promise<ProjectionsAnswer> {
  const answer = await askServer<ProjectionsAnswer>(context, { method: 'GET', path: '/projections' });
  if (answer !== null) return answer;
  return withLog(context, async (head) => {
    const documents = await EmbeddedDocumentStore.open({ file: dataFile(context, 'read.db') });
    try {
      return { projections: await storedStatus(documents, slices.projectors, head) };
    } finally {
      await documents.close();
    }
  });
}
