// Delivers every batch twice to every projector, as if its checkpoint had been lost after the first save.
import { ProjectionPages } from '../../../backend/dist/platform/projections/projection-pages.js';

const { apply } = ProjectionPages.prototype;
ProjectionPages.prototype.apply = async function twice(generations, page, meanwhile) {
  const before = new Map(generations.map((generation) => [generation, generation.checkpoint]));
  await apply.call(this, generations, page);
  for (const [generation, checkpoint] of before) generation.checkpoint = checkpoint;
  await apply.call(this, generations, page, meanwhile);
};
