import { isMember, type Viewer } from '../projects/project.access.js';

export const mayExportMarkers = (who: Viewer): boolean => isMember(who);
