import type { Position, Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { commentLive, COMMENTS_CHANNEL } from '../../features/comments/comment.live';
import { commentsOf } from '../../features/comments/comments.queries';
import { type Gone, projectLive, PROJECTS_CHANNEL } from '../../features/project/project.live';
import { forgetProject } from '../../features/project/project.queries';
import { regionLive, REGIONS_CHANNEL } from '../../features/regions/region.live';
import { regionsOf } from '../../features/regions/regions.queries';
import { todoLive, TODOS_CHANNEL } from '../../features/todos/todo.live';
import { todosOf } from '../../features/todos/todos.queries';
import { MEDIA_CHANNEL, versionLive } from '../../features/versions/version.live';
import { useStableCallback } from '../../shared/hooks/use-stable-callback';
import type { LiveSubscriber } from '../../shared/live/handlers';
import { useTopic } from '../../shared/live/live-provider';
import { projectTopic } from '../../shared/live/topics';
import { dropTags } from '../../shared/posts/drop-tags';
import { useToast } from '../../shared/ui/toast-queue';
import { paths } from '../paths';

interface PageLive {
  readonly projectId: Id;
  readonly uid: Uid;
  readonly projectName: string;
  /** The position at which the page was loaded; null while it is not. */
  readonly loadedAt: Position | null;
  readonly onRights: () => void;
  /** Another member added a version. */
  readonly onVersion: (version: VersionView) => void;
  /** A reminder fired. */
  readonly onReminder: (todo: TodoView) => void;
}

const SENTENCES: Readonly<Record<Gone, string>> = { removed: 'was removed by its owner.', private: 'is now private.' };

/** Navigates to the list, shows why, and drops the project from the caches. */
export function useLeading(projectId: Id): (message: string) => void {
  const cache = useQueryClient();
  const toaster = useToast();
  const navigate = useNavigate();
  return (message) => {
    toaster.show({ message });
    void navigate(paths.projects);
    forgetProject(cache, projectId);
  };
}

const CHANNELS = [PROJECTS_CHANNEL, MEDIA_CHANNEL, REGIONS_CHANNEL, COMMENTS_CHANNEL, TODOS_CHANNEL];

/** Follows the project: everyone's changes reach the caches as they happen. */
export function useProjectPageLive(page: PageLive): void {
  const { projectId, uid, projectName, loadedAt } = page;
  const lead = useLeading(projectId);
  const onGone = useStableCallback((why: Gone) => lead(`${isolated(projectName)} ${SENTENCES[why]}`));
  const onRights = useStableCallback(page.onRights);
  const onVersion = useStableCallback(page.onVersion);
  const onReminder = useStableCallback(page.onReminder);
  const subscriber = useMemo<LiveSubscriber>(() => {
    const handlers = { ...projectLive({ uid, onGone, onRights }), ...versionLive(onVersion), ...regionLive, ...commentLive, ...todoLive(onReminder) };
    // A post that makes or drops a child region changes regions that its answer does not show.
    return { channels: CHANNELS, handlers, ownHandlers: regionLive };
  }, [uid, onGone, onRights, onVersion, onReminder]);
  useTopic(projectTopic(projectId), subscriber, loadedAt);
}

const NO_REGIONS: readonly RegionView[] = [];

/** Takes removed regions out of the posts that were tagged with them. A removal that can still be undone only hides the tags. */
export function useDroppedTags(projectId: Id): void {
  const cache = useQueryClient();
  const { data: regions = NO_REGIONS } = useQuery(regionsOf(projectId));
  const before = useRef(regions);
  useEffect(() => {
    const remaining = new Set(regions.map(({ _id }) => _id));
    const gone = new Set(before.current.flatMap(({ _id }) => (remaining.has(_id) ? [] : [_id])));
    before.current = regions;
    if (gone.size === 0) return;
    for (const { queryKey } of [commentsOf(projectId), todosOf(projectId)]) dropTags(cache, queryKey, gone);
  }, [cache, projectId, regions]);
}
