// The program of a later day: it can read the event that today's cannot.
import { slices } from '../../../backend/dist/slices.js';

slices.upcasters = [...slices.upcasters, { from: 'ProjectSungAloud', to: 'ProjectDescriptionEdited', change: () => ({ from: '', to: 'sung aloud' }) }];
