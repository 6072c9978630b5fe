import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { TodoReminderView } from '@roughmix/contracts/todos/todo.view.js';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useCollections } from '../../features/collections/use-collections';
import { projectsOf } from '../../features/projects/projects-queries';
import { RemindersButton, RemindersPanel } from '../../features/reminders/reminders-panel';
import { ProjectsBoard } from '../../features/projects/projects-board';
import { useSession } from '../../shared/session/session-provider';
import { prefersReducedMotion } from '../../shared/hooks/use-media';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import { focusHeadingAfterDialog } from '../page-arrival';
import { loadProject } from '../pages';
import { paths, type ProjectRouteState } from '../paths';

const SLIDE_MS = 140;

/** The list slides out before a project opens, unless the user prefers reduced motion. Navigation elsewhere in the meantime wins. */
function useSlideAway() {
  const navigate = useNavigate();
  const [to, open] = useState<{ readonly href: string; readonly state: ProjectRouteState } | null>(null);
  useEffect(() => {
    if (to === null) return undefined;
    const wait = prefersReducedMotion() ? 0 : SLIDE_MS;
    const timer = setTimeout(() => void navigate(to.href, { state: to.state }), wait);
    return () => clearTimeout(timer);
  }, [to, navigate]);
  return { leaves: to !== null, open };
}

/** Preloads the project's page on hover; a failure is reported when it is opened. */
const fetchAhead = () => void loadProject().catch(() => undefined);

const hrefOfView = (view: string): string => (view === 'all' ? paths.projects : view === 'shared' ? paths.sharedProjects : paths.collection(view));

/** The list of projects. */
export function ProjectsPage() {
  usePageTitle('Roughmix Studio beta');
  const { user } = useSession();
  const [search] = useSearchParams();
  const { leaves, open } = useSlideAway();
  const navigate = useNavigate();
  const view = search.get('collection') ?? (search.get('view') === 'shared' ? 'shared' : 'all');
  const { dialogs, ...collections } = useCollections({
    uid: user?.uid ?? '',
    onAdded: ({ _id }) => void navigate(paths.collection(_id)),
    onRemoved: focusHeadingAfterDialog,
  });
  // Removed here, in another tab, or long ago.
  const isGone = !['all', 'shared'].includes(view) && collections.list?.every(({ _id }) => _id !== view) === true;
  useEffect(() => {
    if (isGone) void navigate(paths.projects, { replace: true });
  }, [isGone, navigate]);
  const { data: projects } = useQuery({ ...projectsOf(user?.uid ?? ''), enabled: user !== null });
  if (user === null) return null;
  const onOpen = (project: Pick<ProjectView, '_id' | 'owner' | 'projectName'>) => {
    const { _id: projectId, owner, projectName } = project;
    open({ href: hrefOf(project), state: { projectId, ownerId: owner.uid, projectName } });
  };
  const hrefOf = (project: Pick<ProjectView, '_id' | 'owner'>) => paths.project(project, user.uid);
  /** The list may lack the project for a moment; its page needs no more than the id. */
  const hrefOfReminder = ({ projectId, todoId }: TodoReminderView) => {
    const project = projects?.find(({ _id }) => _id === projectId);
    return paths.todo(project === undefined ? `${paths.projects}/${projectId}` : hrefOf(project), todoId);
  };
  const reminders = user.isGuest ? null : { uid: user.uid, hrefOf: hrefOfReminder };
  return (
    <div className={leaves ? 'leaves' : undefined}>
      <ProjectsBoard
        user={user}
        view={view}
        hrefOfView={hrefOfView}
        collections={collections}
        links={{ hrefOf, onOpen, onNear: fetchAhead }}
        tools={reminders && <RemindersButton {...reminders} />}
        aside={reminders && <RemindersPanel {...reminders} />}
      />
      {dialogs}
    </div>
  );
}
