import type { GenerationStatus, ProjectionStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Projector } from '../../kernel/projector.js';
import type { DocumentStore } from '../documents/documents.js';
import { type Generation, generationKey, parkedStreams, type StoredGeneration, storedProjectors } from './projection-generations.js';

/** The stored state of every projector, for processes that do not run them. */
export async function storedStatus(documents: DocumentStore, projectors: readonly Projector[], head: Position): Promise<readonly ProjectionStatus[]> {
  const stored = await storedProjectors(documents);
  const storedStatusOf = async (name: string, { version, number }: StoredGeneration): Promise<GenerationStatus> => {
    const key = generationKey(name, version, number);
    const checkpoint = await documents.checkpoint(key);
    return { version, generation: number, checkpoint, lag: Math.max(0, head - checkpoint), parkedStreams: await parkedStreams(documents, key) };
  };
  return Promise.all(
    projectors.map(async ({ name, version }) => {
      const { served = null, building = null } = stored[name] ?? {};
      const none = { version, generation: 0, checkpoint: 0, lag: head, parkedStreams: [] };
      return {
        projector: name,
        ...(served === null ? none : await storedStatusOf(name, served)),
        rebuild: building === null ? null : await storedStatusOf(name, building),
      };
    }),
  );
}

/** The current state of a generation, in the process that builds it. */
export const statusOf = ({ projector, number, checkpoint, parked }: Generation, head: Position): GenerationStatus => ({
  version: projector.version,
  generation: number,
  checkpoint,
  lag: Math.max(0, head - checkpoint),
  parkedStreams: [...parked.values()],
});
