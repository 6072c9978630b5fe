import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Purpose, VersionAdded } from '../../features/versions/new-version-run';
import { takeProject } from '../../features/project/project.queries';

const InviteUsersDialog = lazy(async () => ({ default: (await import('../../features/members/invite-users-dialog')).InviteUsersDialog }));
const ProjectUsersDialog = lazy(async () => ({ default: (await import('../../features/members/project-users-dialog')).ProjectUsersDialog }));
const NewVersionDialog = lazy(async () => ({ default: (await import('../../features/versions/new-version-dialog')).NewVersionDialog }));
const RemoveVersionDialog = lazy(async () => ({ default: (await import('../../features/versions/remove-version-dialog')).RemoveVersionDialog }));

/** What is asked over the page. */
export type Asked =
  | { readonly what: 'invite' }
  | { readonly what: 'users' }
  | { readonly what: 'version'; readonly purpose: Purpose }
  | { readonly what: 'remove-version'; readonly version: VersionView };

interface ProjectPageDialogsProps {
  readonly asked: Asked | null;
  readonly project: ProjectView;
  readonly versions: readonly VersionView[];
  readonly viewer: Viewer;
  readonly onClose: () => void;
  readonly onAdded: (added: VersionAdded) => void;
}

/** The windows of the page; each is fetched when it is first wanted. */
export function ProjectPageDialogs({ asked, project, versions, viewer, onClose, onAdded }: ProjectPageDialogsProps) {
  const cache = useQueryClient();
  const onProject = (updated: ProjectView) => takeProject(cache, updated);
  if (asked === null) return null;
  return (
    <Suspense fallback={null}>
      {asked.what === 'invite' && <InviteUsersDialog project={project} onClose={onClose} onProject={onProject} />}
      {asked.what === 'users' && <ProjectUsersDialog project={project} viewer={viewer} onClose={onClose} onProject={onProject} />}
      {asked.what === 'version' && <NewVersionDialog projectId={project._id} purpose={asked.purpose} versions={versions} onClose={onClose} onAdded={onAdded} />}
      {asked.what === 'remove-version' && <RemoveVersionDialog version={asked.version} onClose={onClose} onProject={onProject} />}
    </Suspense>
  );
}
