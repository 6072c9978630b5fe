import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { ComposerHandle } from '../../features/comments/composer';
import { MiniPlayer } from '../../features/player/mini-player';
import { InformationPanel } from '../../features/project/information-panel';
import { MiniHeader } from '../../features/project/mini-header';
import { ProjectBanner } from '../../features/project/project-banner';
import { ProjectMenu } from '../../features/project/project-menu';
import { takeProject } from '../../features/project/project.queries';
import { viewerOfView } from '../../features/project/viewer';
import { NoVersions } from '../../features/versions/no-versions';
import type { VersionAdded } from '../../features/versions/new-version-run';
import { VersionPanel } from '../../features/versions/version-panel';
import { useHere } from '../../shared/live/live-provider';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import { useSession } from '../../shared/session/session-provider';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import { useToast } from '../../shared/ui/toast-queue';
import { paths } from '../paths';
import { addressOfMoment, type Target } from './project-page-address';
import { type Asked, ProjectPageDialogs } from './project-page-dialogs';
import type { PageParts } from './project-page-data';
import { useProjectDesk } from './project-page-desk';
import { useDroppedTags, useLeading, useProjectPageLive } from './project-page-live';
import { ProjectPlayer } from './project-page-player';
import { ProjectWork } from './project-page-work';
import './project-page.css';

interface WorkspaceProps {
  readonly parts: PageParts;
  readonly user: SelfView;
  readonly target: Target;
  readonly onRights: () => void;
}

/** Questions over the page; an account is asked for before any of them. */
function useAsked({ project }: PageParts) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { requireAccount } = useSession();
  const ask = (next: Asked) => requireAccount() && setAsked(next);
  return {
    asked,
    close: () => setAsked(null),
    invite: () => ask({ what: 'invite' }),
    users: () => setAsked({ what: 'users' }),
    addVersion: () => ask({ what: 'version', purpose: { kind: project.firstVersionId === null ? 'next' : 'first' } }),
    replace: (version: VersionView) => ask({ what: 'version', purpose: { kind: 'replace', version } }),
    remove: (version: VersionView) => ask({ what: 'remove-version', version }),
  };
}

async function copyLink(link: string, tell: (message: string, failed: boolean) => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    tell('Link copied.', false);
  } catch {
    // A page that is not served over TLS has no clipboard: the link is there to be copied by hand.
    tell(link, true);
  }
}

/** A loaded project: banner, player, what is said about it, what is known of it. */
export function ProjectWorkspace({ parts, user, target, onRights }: WorkspaceProps) {
  const { project, versions, regions, comments } = parts;
  const { permissionLevel } = project;
  const viewer = useMemo(() => viewerOfView(permissionLevel, user.uid), [permissionLevel, user.uid]);
  const shared = useProjectDesk(parts, viewer, target);
  const { store, heard, hear } = shared;
  const asking = useAsked(parts);
  const here = useHere(project._id);
  const toaster = useToast();
  const cache = useQueryClient();
  const lead = useLeading(project._id);
  const box = useRef<ComposerHandle>(null);
  usePageTitle(`${project.projectName} | Roughmix Studio beta`);
  useDroppedTags(project._id, regions);
  useProjectPageLive({
    projectId: project._id,
    uid: user.uid,
    projectName: project.projectName,
    loadedAt: project.position,
    onRights,
    onVersion: (version) =>
      toaster.show({
        message: `${fullName(version.uploader)} added version ${versionNumber(version)}`,
        face: { name: fullName(version.uploader), photo: version.uploader.smallPhoto },
        action: { label: 'Listen', onPress: () => hear(version._id) },
      }),
  });
  const comment = (withTag: boolean) => box.current?.focus(withTag);
  useShortcuts(viewer.may.comment ? [{ keys: ['c'], label: 'Write a comment', run: () => comment(false) }] : []);
  const added = ({ version, updatedProject }: VersionAdded) => {
    takeProject(cache, updatedProject);
    hear(version._id);
    asking.close();
    toaster.show({ message: `Version ${versionNumber(version)} is there.` });
  };
  const onCopyLink = () =>
    void copyLink(addressOfMoment(window.location.href, heard?._id ?? null, store.getSnapshot().position), (message, failed) =>
      toaster.show({ message, kind: failed ? 'warning' : 'done' }),
    );
  return (
    <>
      <MiniHeader here={here} hrefOfList={paths.projects}>
        <MiniPlayer store={store} version={heard} name={project.projectName} />
      </MiniHeader>
      <main>
        <ProjectBanner
          project={project}
          viewer={viewer}
          here={here}
          hrefOfList={paths.projects}
          onInvite={asking.invite}
          onUsers={asking.users}
          menu={<ProjectMenu project={project} viewer={viewer} onCopyLink={onCopyLink} onLeft={lead} />}
        />
        {heard === null ? (
          <NoVersions viewer={viewer} onAdd={asking.addVersion} />
        ) : (
          <ProjectPlayer parts={parts} viewer={viewer} shared={shared} onAddVersion={asking.addVersion} onRemoveVersion={asking.remove} onComment={comment} />
        )}
        <div className="project-work">
          <ProjectWork ref={box} parts={parts} user={user} viewer={viewer} shared={shared} comments={comments} />
          <aside aria-label="About this project">
            <InformationPanel project={project} viewer={viewer} here={here} />
            {heard !== null && <VersionPanel version={heard} versions={versions} viewer={viewer} onReplace={asking.replace} onRemove={asking.remove} />}
          </aside>
        </div>
      </main>
      <ProjectPageDialogs asked={asking.asked} project={project} versions={versions} viewer={viewer} onClose={asking.close} onAdded={added} />
    </>
  );
}
