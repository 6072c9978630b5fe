import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { usePlayerStore } from '../features/player/player-provider';
import type { AppPlayer } from '../features/player/player-state';
import { watchSystemAudio } from '../features/player/system-audio';
import { trackOf } from '../features/player/track';
import { usePlayer } from '../features/player/use-player';
import { projectLive } from '../features/project/project.live';
import { projectOf } from '../features/project/project.queries';
import { versionLive } from '../features/versions/version.live';
import { versionsOf } from '../features/versions/versions.queries';
import type { LiveSubscriber } from '../shared/live/handlers';
import { useTopic } from '../shared/live/live-provider';
import { projectTopic } from '../shared/live/topics';
import { useSession } from '../shared/session/session-provider';
import { useToast } from '../shared/ui/toast-queue';
import { focusHeadingIfLost } from './page-arrival';
import { PATTERNS, paths } from './paths';
import { type Loss, lossText, PLAYED_CHANNELS } from './played-access';
import { usePlayReports } from './use-play-reports';
import { usePlayedAccess } from './use-played-access';

const NowPlayingParts = lazy(async () => {
  try {
    return { default: (await import('../features/player/now-playing')).NowPlaying };
  } catch {
    // Offline before its code was loaded: playback continues without the bar.
    return { default: () => null };
  }
});

/** The id of the project whose page is open; null on other pages. */
function useOpenProject(): Id | null {
  const { pathname } = useLocation();
  const match = matchPath(PATTERNS.project, pathname) ?? matchPath(PATTERNS.sharedProject, pathname);
  return match?.params.projectId ?? null;
}

/** Keeps the project up to date while it plays and its page is closed. Others see the listener as present. */
function PlayedProject({ projectId, uid, loadedAt }: { readonly projectId: Id; readonly uid: string; readonly loadedAt: number | null }) {
  const subscriber = useMemo<LiveSubscriber>(() => {
    const nothing = () => undefined;
    return { channels: PLAYED_CHANNELS, handlers: { ...projectLive({ uid, onGone: nothing, onRights: nothing }), ...versionLive(nothing) } };
  }, [uid]);
  useTopic(projectTopic(projectId), subscriber, loadedAt);
  return null;
}

/** The playing project from the cache, which its page has filled. */
function usePlayed(player: AppPlayer, projectId: Id) {
  const { data: project } = useQuery(projectOf(projectId));
  const { data: versions } = useQuery(versionsOf(projectId));
  const versionId = usePlayer(player, (state) => state.versionId);
  return useMemo(() => {
    const at = versions?.findIndex(({ _id }) => _id === versionId) ?? -1;
    const version = versions?.[at];
    return project && version ? { project, version, previous: versions[at - 1] ?? null, next: versions[at + 1] ?? null } : null;
  }, [project, versions, versionId]);
}

function Playing({ player, projectId }: { readonly player: AppPlayer; readonly projectId: Id }) {
  const uid = useSession().user?.uid ?? '';
  const openProject = useOpenProject();
  const toaster = useToast();
  const isPlaying = usePlayer(player, ({ playing }) => playing);
  const played = usePlayed(player, projectId);
  const isAway = openProject !== projectId;
  usePlayedAccess(player, (loss: Loss) => {
    // The project's page shows this itself.
    const message = isAway && played !== null ? lossText(loss, isolated(played.project.projectName)) : null;
    if (message !== null) toaster.show({ message });
  });
  const details = useMemo(() => {
    if (played === null) return null;
    const { project, version, previous, next } = played;
    const neighbour = (other: typeof previous) => (trackOf(other) === null ? null : () => player.load(trackOf(other)));
    return {
      title: project.projectName,
      artist: fullName(project.owner),
      album: `${versionNumber(version)} ${toTyped(version.tinySummary)}`,
      onPrevious: neighbour(previous),
      onNext: neighbour(next),
      onStop: () => player.release(projectId),
    };
  }, [played, player, projectId]);
  const close = () => {
    player.release(projectId);
    // The focused button disappeared with the bar.
    requestAnimationFrame(focusHeadingIfLost);
  };
  if (played === null || details === null) return null;
  const { project, version } = played;
  const href = `${paths.project(project, uid)}?v=${version._id}`;
  return (
    <>
      {isPlaying && isAway && <PlayedProject projectId={projectId} uid={uid} loadedAt={project.position} />}
      <Suspense>
        <NowPlayingParts
          store={player}
          version={version}
          details={details}
          bar={isAway ? { name: project.projectName, href, isBesidePlayer: openProject !== null, onClose: close } : null}
        />
      </Suspense>
    </>
  );
}

/** Time in which the music starts before anything is rendered for it. */
const START_MS = 300;

/** The project that plays, a moment after its first play: nothing rendered here may delay the first sound. */
function useStartedProject(player: AppPlayer): Id | null {
  const projectId = usePlayer(player, (state) => state.projectId);
  const [started, setStarted] = useState<Id | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setStarted(projectId), START_MS);
    return () => clearTimeout(timer);
  }, [projectId]);
  return started === projectId ? started : null;
}

/** What every page needs during playback: the now-playing bar, the system's media keys, and a stop once the user loses access. */
export function NowPlaying() {
  const player = usePlayerStore();
  const projectId = useStartedProject(player);
  useEffect(() => watchSystemAudio(player), [player]);
  usePlayReports(player);
  return projectId === null ? null : <Playing key={projectId} player={player} projectId={projectId} />;
}
