import { lazy, Suspense } from 'react';
import type { SavedNotes } from '../../shared/project/project-notes';
import { SkeletonRows } from '../../shared/ui/skeleton';

const NotesPanel = lazy(async () => ({ default: (await import('../../features/notes/notes-panel')).NotesPanel }));

/** The project's notes. */
export const ProjectNotes = ({ notes }: { readonly notes: SavedNotes }) => (
  <Suspense fallback={<SkeletonRows label="Notes" />}>
    <NotesPanel notes={notes} />
  </Suspense>
);
