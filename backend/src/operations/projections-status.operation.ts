import type { GenerationStatus, ParkedStream, ProjectionsAnswer, ProjectionStatus } from '@roughmix/contracts/admin/admin.view.js';
import { EmbeddedDocumentStore } from '../platform/documents/embedded-document-store.js';
import { storedStatus } from '../platform/projections/projection-status.js';
import { slices } from '../slices.js';
import type { Asked, Operation } from './operation.js';
import { askServer, dataFile, withLog } from './read-models-desk.js';
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

/** Tells how far every read model has come. */
export const projectionsStatus: Operation = {
  name: 'projections status',
  about: 'how far every read model has come, which streams it has parked and why, and what is being built anew',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  async run(asked) {
    const { projections, heldBy } = await answerOf(asked);
    if (asked.values.json === true) {
      await asked.say(JSON.stringify({ projections, heldBy }));
      return 0;
    }
    if (heldBy !== undefined) await asked.say(heldByLine('read models are built', heldBy));
    for (const line of tableOf(HEAD, projections.map(rowOf))) await asked.say(line);
    const parked = projections.flatMap(({ projector, parkedStreams }) => parkedStreams.map((each) => parkedRow(projector, each)));
    if (parked.length > 0) for (const line of ['', ...tableOf(PARKED_HEAD, parked)]) await asked.say(line);
    return 0;
  },
};

export const statusOf = async (asked: Asked): Promise<readonly ProjectionStatus[]> => (await answerOf(asked)).projections;

/** Asked of the running program, else read from where it is written down. */
async function answerOf(asked: Asked): Promise<ProjectionsAnswer> {
  const answer = await askServer<ProjectionsAnswer>(asked, { method: 'GET', path: '/projections' });
  if (answer !== null) return answer;
  return withLog(asked, async (head) => {
    const documents = await EmbeddedDocumentStore.open({ file: dataFile(asked, 'read.db') });
    try {
      return { projections: await storedStatus(documents, slices.projectors, head) };
    } finally {
      await documents.close();
    }
  });
}
