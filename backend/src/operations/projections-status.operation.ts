import type { GenerationStatus, ParkedStream, ProjectionsAnswer, ProjectionStatus } from '@roughmix/contracts/admin/admin.view.js';
import { EmbeddedDocumentStore } from '../platform/documents/embedded-document-store.js';
import { storedStatus } from '../platform/projections/projection-status.js';
import { slices } from '../slices.js';
import type { Asked, Operation } from './operation.js';
import { askServer, dataFile, withLog } from './read-models-desk.js';
import { tableOf } from './table.js';

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
    const projections = await statusOf(asked);
    if (asked.values.json === true) {
      await asked.say(JSON.stringify({ projections }));
      return 0;
    }
    for (const line of tableOf(HEAD, projections.map(rowOf))) await asked.say(line);
    const parked = projections.flatMap(({ projector, parkedStreams }) => parkedStreams.map((each) => parkedRow(projector, each)));
    if (parked.length > 0) for (const line of ['', ...tableOf(PARKED_HEAD, parked)]) await asked.say(line);
    return 0;
  },
};

/** Asked of the running program, else read from where it is written down. */
export async function statusOf(asked: Asked): Promise<readonly ProjectionStatus[]> {
  const answer = await askServer<ProjectionsAnswer>(asked, { method: 'GET', path: '/projections' });
  if (answer !== null) return answer.projections;
  return withLog(asked, async (head) => {
    const documents = await EmbeddedDocumentStore.open({ file: dataFile(asked, 'read.db') });
    try {
      return await storedStatus(documents, slices.projectors, head);
    } finally {
      await documents.close();
    }
  });
}
