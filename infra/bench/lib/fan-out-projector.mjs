// Preloaded into the program: a projector that writes FAN_OUT indexed documents whenever a project's description changes.
import { projector, put } from '../../../backend/dist/kernel/projector.js';
import { slices } from '../../../backend/dist/slices.js';

const many = Number(process.env.FAN_OUT);
const fanOut = projector(
  { name: 'fan-out', version: 1, collections: [{ name: 'fan-out', indexes: [{ field: 'uid', sort: 'at' }] }] },
  {
    ProjectDescriptionEdited: ({ id, stream, meta, position }) =>
      Array.from({ length: many }, (_, index) =>
        put('fan-out', `${id}-${index}`, { uid: `receiver-${index}`, stream, at: meta.at, actorUid: meta.actorUid, position, seen: false }),
      ),
  },
);
slices.projectors = [...slices.projectors, fanOut];
