// A later version of the program, whose comments have a new shape.
import { slices } from '../../../backend/dist/slices.js';

slices.projectors = slices.projectors.map((projector) => (projector.name === 'comments' ? { ...projector, version: projector.version + 1 } : projector));
