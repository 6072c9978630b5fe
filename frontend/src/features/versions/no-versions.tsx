import { mayAddVersion, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import { AudioLines } from 'lucide-react';
import { Button } from '../../shared/ui/button';
import { EmptyState } from '../../shared/ui/empty-state';

/** Shown instead of the player while the project has no versions. */
export function NoVersions({ viewer, onAdd }: { readonly viewer: Viewer; readonly onAdd: () => void }) {
  const action = mayAddVersion(viewer) ? (
    <Button variant="primary" onPress={onAdd}>
      New Version
    </Button>
  ) : undefined;
  return (
    <section className="no-versions" aria-label="Player">
      <EmptyState icon={AudioLines} isPage action={action}>
        {"No versions (yet). Try uploading a song you're working on!"}
      </EmptyState>
    </section>
  );
}
