// A later version of the program, which knows an event type that the current one does not.
import { slices } from '../../../backend/dist/slices.js';

slices.upcasters = [...slices.upcasters, { from: 'ProjectSungAloud', to: 'ProjectDescriptionEdited', change: () => ({ from: '', to: 'sung aloud' }) }];
