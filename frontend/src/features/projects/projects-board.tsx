import type { ListedProject, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { useQuery } from '@tanstack/react-query';
import { Plus, Settings2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { useSession } from '../../shared/session/session-provider';
import { Button } from '../../shared/ui/button';
import { ErrorState } from '../../shared/ui/error-state';
import { IconButton } from '../../shared/ui/icon-button';
import { EMPTY_DRAFT } from './new-project-draft';
import { groupProjects, type ProjectGroups } from './project-groups';
import { ProjectsLists } from './projects-lists';
import { projectsOf } from './projects-queries';
import './projects.css';
import type { ProjectLinks } from './project-row';
import { ProjectsSkeleton } from './projects-skeleton';
import { RemoveProjectDialog } from './remove-project-dialog';
import { useRemoveProjects } from './remove-projects';
import { SelectionBar } from './selection-bar';
import { useSelection } from './use-selection';
import { ViewsDropdown, ViewsSidebar, type ListView } from './views-nav';

const NewProjectDialog = lazy(async () => ({ default: (await import('./new-project-dialog')).NewProjectDialog }));

interface ProjectsBoardProps {
  readonly user: SelfView;
  readonly view: ListView['id'];
  readonly hrefOfView: (view: ListView['id']) => string;
  readonly links: ProjectLinks;
}

/** A new project, or an unfinished one to continue; null while the dialog is closed. */
type OpenDialog = 'new' | ListedProject | null;

function viewsOf(groups: ProjectGroups | null, hrefOf: ProjectsBoardProps['hrefOfView']): readonly ListView[] {
  const all = (groups?.own.length ?? 0) + (groups?.shared.length ?? 0) + (groups?.open.length ?? 0) || undefined;
  const views: ListView[] = [{ id: 'all', label: 'All Projects', count: all, href: hrefOf('all') }];
  if (groups !== null && groups.shared.length > 0)
    views.push({ id: 'shared', label: 'Projects shared with you', count: groups.shared.length, href: hrefOf('shared') });
  return views;
}

/** State of the removal dialog. */
function useRemoval(user: SelfView, onGone: (project: ListedProject) => void) {
  const [projects, setProjects] = useState<readonly ListedProject[]>([]);
  const removal = useRemoveProjects(user.uid, onGone);
  const confirm = () => removal.mutate(projects, { onSettled: () => setProjects([]) });
  return { projects, open: setProjects, confirm, isPending: removal.isPending, error: removal.error, close: () => setProjects([]) };
}

/** Everything on the projects page below the header. */
export function ProjectsBoard({ user, view, hrefOfView, links }: ProjectsBoardProps) {
  const { requireAccount } = useSession();
  const list = useQuery(projectsOf(user.uid));
  const groups = list.data === undefined ? null : groupProjects(list.data, user.uid);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const selection = useSelection(groups?.own ?? []);
  const removal = useRemoval(user, ({ _id }) => selection.forget(_id));
  const views = viewsOf(groups, hrefOfView);
  const current = views.find(({ id }) => id === view) ?? views[0];
  const done = (project: ProjectView) => {
    setDraft(EMPTY_DRAFT);
    setDialog(null);
    links.onOpen(project);
  };
  const begin = (what: OpenDialog) => requireAccount() && setDialog(what);

  return (
    <div className="projects">
      <ViewsSidebar views={views} current={current?.id ?? 'all'} />
      <main>
        <div className="bar-top">
          <ViewsDropdown views={views} current={current?.id ?? 'all'} />
          <h1 className="wide h-page">{current?.label}</h1>
          <span className="grow" />
          <IconButton label="Edit" icon={Settings2} isPressed={selection.isOn} onPress={() => requireAccount() && selection.toggle()} />
          <Button variant="primary" icon={Plus} onPress={() => begin('new')}>
            Add Project
          </Button>
        </div>
        {selection.isOn && (
          <SelectionBar
            selected={selection.chosen.length}
            hasShared={(groups?.shared.length ?? 0) > 0}
            onRemove={() => removal.open(selection.chosen)}
            onDone={selection.toggle}
          />
        )}
        {removal.error !== null && <ErrorState>{errorMessage(removal.error)}</ErrorState>}
        {list.isError && groups === null && (
          <ErrorState onRetry={() => void list.refetch()} isPending={list.isFetching}>
            {errorMessage(list.error)}
          </ErrorState>
        )}
        {list.isPending && <ProjectsSkeleton />}
        {groups && (
          <ProjectsLists
            groups={groups}
            view={current?.id ?? 'all'}
            user={user}
            links={links}
            selection={selection}
            onGoOn={begin}
            onRemove={(project) => removal.open([project])}
          />
        )}
      </main>
      <RemoveProjectDialog projects={removal.projects} isPending={removal.isPending} onConfirm={removal.confirm} onClose={removal.close} />
      {dialog !== null && (
        <Suspense fallback={null}>
          <NewProjectDialog
            user={user}
            unfinished={dialog === 'new' ? null : dialog}
            draft={draft}
            onDraft={(change) => setDraft((now) => ({ ...now, ...change }))}
            onClose={() => setDialog(null)}
            onDone={done}
          />
        </Suspense>
      )}
    </div>
  );
}
