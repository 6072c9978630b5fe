import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { Purpose, VersionAdded } from '../../features/versions/new-version-upload';
import { takeProject } from '../../features/project/project.queries';
import { useProject } from '../../shared/project/project-context';
import { useSession } from '../../shared/session/session-provider';
import { DIALOG, part } from '../../shared/ui/part';
import { WhileOpen } from '../../shared/ui/while-open';
import { mentionablesOf } from '../../shared/writing/mention-search';

const InviteUsersDialog = part(async () => ({ default: (await import('../../features/members/invite-users-dialog')).InviteUsersDialog }), DIALOG);
const ProjectUsersDialog = part(async () => ({ default: (await import('../../features/members/project-users-dialog')).ProjectUsersDialog }), DIALOG);
const NewVersionDialog = part(async () => ({ default: (await import('../../features/versions/new-version-dialog')).NewVersionDialog }), DIALOG);
const RemoveVersionDialog = part(async () => ({ default: (await import('../../features/versions/remove-version-dialog')).RemoveVersionDialog }), DIALOG);

/** The dialog that is open over the page. */
export type OpenDialog =
  | { readonly kind: 'invite' }
  | { readonly kind: 'users' }
  | { readonly kind: 'version'; readonly purpose: Purpose }
  | { readonly kind: 'remove-version'; readonly version: VersionView };

/** Which dialog is open, and how each is opened. Dialogs that change something ask for an account first. */
export function useProjectDialogs({ firstVersionId }: ProjectView) {
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { requireAccount } = useSession();
  const open = (next: OpenDialog) => requireAccount() && setDialog(next);
  return {
    dialog,
    close: () => setDialog(null),
    invite: () => open({ kind: 'invite' }),
    users: () => setDialog({ kind: 'users' }),
    addVersion: () => open({ kind: 'version', purpose: { kind: firstVersionId === null ? 'next' : 'first' } }),
    replaceVersion: (version: VersionView) => open({ kind: 'version', purpose: { kind: 'replace', version } }),
    removeVersion: (version: VersionView) => open({ kind: 'remove-version', version }),
  };
}

interface ProjectPageDialogsProps {
  readonly dialog: OpenDialog | null;
  readonly project: ProjectView;
  readonly versions: readonly VersionView[];
  readonly viewer: Viewer;
  readonly onClose: () => void;
  readonly onAdded: (added: VersionAdded) => void;
}

/** The dialogs of the page. The code of each is loaded when it is first opened. */
export function ProjectPageDialogs({ dialog, project, versions, viewer, onClose, onAdded }: ProjectPageDialogsProps) {
  const cache = useQueryClient();
  const { members, user } = useProject();
  const onProject = (updated: ProjectView) => takeProject(cache, updated);
  return (
    <WhileOpen value={dialog}>
      {(open) => (
        <Suspense fallback={null}>
          {open.kind === 'invite' && <InviteUsersDialog project={project} onClose={onClose} onProject={onProject} />}
          {open.kind === 'users' && <ProjectUsersDialog project={project} viewer={viewer} onClose={onClose} onProject={onProject} />}
          {open.kind === 'version' && (
            <NewVersionDialog
              projectId={project._id}
              purpose={open.purpose}
              versions={versions}
              highestVersion={project.highestVersion}
              people={mentionablesOf(members, user.uid)}
              onClose={onClose}
              onAdded={onAdded}
            />
          )}
          {open.kind === 'remove-version' && <RemoveVersionDialog version={open.version} onClose={onClose} onProject={onProject} />}
        </Suspense>
      )}
    </WhileOpen>
  );
}
