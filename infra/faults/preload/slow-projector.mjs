// Slows down the comments projector by SLOW_MS of work per event.
import { slices } from '../../../backend/dist/slices.js';

const milliseconds = Number(process.env.SLOW_MS);
slices.projectors = slices.projectors.map((projector) =>
  projector.name !== 'comments'
    ? projector
    : {
        ...projector,
        project(event) {
          for (const until = performance.now() + milliseconds; performance.now() < until;);
          return projector.project(event);
        },
      },
);
