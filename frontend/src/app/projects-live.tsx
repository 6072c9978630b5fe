import { fullName } from '@roughmix/contracts/users/user.view.js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { collectionsLive } from '../features/collections/collection.live';
import { usePlayerStore } from '../features/player/player-provider';
import { forgetProject, projectOf } from '../features/project/project.queries';
import { membershipText, type MembershipNotice, projectsLive } from '../features/projects/projects.live';
import { useLive } from '../shared/live/live-provider';
import { sessionLive } from '../shared/session/session.live';
import { useSession } from '../shared/session/session-provider';
import { useToast } from '../shared/ui/toast-queue';
import { paths } from './paths';

/** Keeps collections and the signed-in user current, shows invitations and removals on every page, and leaves a project's page when the user loses access to it. */
export function ProjectsLive() {
  const uid = useSession().user?.uid ?? '';
  const live = useLive();
  const player = usePlayerStore();
  const toaster = useToast();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const cache = useQueryClient();
  /** Users arriving by link never loaded the list; fall back to the page's cache. */
  const withKnownProject = (notice: MembershipNotice): MembershipNotice =>
    notice.what === 'removed' && notice.project === null ? { ...notice, project: cache.getQueryData(projectOf(notice.projectId).queryKey) ?? null } : notice;
  const show = useEffectEvent((received: MembershipNotice) => {
    const notice = withKnownProject(received);
    const face = notice.project === null ? {} : { face: { name: fullName(notice.project.owner), photo: notice.project.owner.smallPhoto } };
    const open = notice.what === 'invited' ? { action: { label: 'Open', onPress: () => void navigate(paths.project(notice.project, uid)) } } : {};
    toaster.show({ message: membershipText(notice), ...face, ...open });
    if (notice.what !== 'removed') return;
    player.release(notice.projectId);
    if (pathname.endsWith(`/projects/${notice.projectId}`)) void navigate(paths.projects);
    forgetProject(cache, notice.projectId);
  });
  useEffect(() => live.listen(projectsLive(uid, (notice) => show(notice))), [live, uid]);
  useEffect(() => live.listen(collectionsLive(uid)), [live, uid]);
  useEffect(() => live.listen(sessionLive), [live]);
  return null;
}
