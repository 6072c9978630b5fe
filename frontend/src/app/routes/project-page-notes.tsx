import { Suspense } from 'react';
import type { SavedNotes } from '../../shared/project/project-notes';
import { part } from '../../shared/ui/part';
import { SkeletonRows } from '../../shared/ui/skeleton';
import type { ProjectPageState } from './project-page-state';

const NotesPanel = part(async () => ({ default: (await import('../../features/notes/notes-panel')).NotesPanel }));

interface ProjectNotesProps {
  readonly notes: SavedNotes;
  readonly state: ProjectPageState;
}

/** The project's notes. */
export const ProjectNotes = ({ notes, state }: ProjectNotesProps) => (
  <Suspense fallback={<SkeletonRows label="Notes" />}>
    <NotesPanel notes={notes} request={state.noteRequest} onFollowed={state.forgetNoteRequest} />
  </Suspense>
);
