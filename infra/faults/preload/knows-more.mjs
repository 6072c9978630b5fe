// The program of a later day: it knows the event that today's does not.
import { slices } from '../../../backend/dist/slices.js';

slices.fieldClasses.set('ProjectSungAloud', { verse: 'plain' });
