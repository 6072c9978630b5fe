import type { ListedProject, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { useSession } from '../../shared/session/session-provider';
import { ErrorState } from '../../shared/ui/error-state';
import { WhileOpen } from '../../shared/ui/while-open';
import { useCompleteProjects } from './complete-projects';
import { EMPTY_DRAFT } from './new-project-draft';
import type { ProjectLinks } from './project-row';
import { ProjectsBar } from './projects-bar';
import { ProjectsLists } from './projects-lists';
import './projects.css';
import { ProjectsSkeleton } from './projects-skeleton';
import { RemoveProjectDialog } from './remove-project-dialog';
import { useRemoveProjects } from './remove-projects';
import { SelectionBar } from './selection-bar';
import { navOf, type ShownOptions, useShownProjects } from './shown-projects';
import { DIALOG, Panel, part } from '../../shared/ui/part';
import { useSelection } from './use-selection';
import { ViewsSidebar } from './views-nav';

const NewProjectDialog = part(async () => ({ default: (await import('./new-project-dialog')).NewProjectDialog }), DIALOG);

interface ProjectsBoardProps extends Omit<ShownOptions, 'uid'> {
  readonly user: SelfView;
  readonly links: ProjectLinks;
  /** Beside the list, on wide screens. */
  readonly aside?: ReactNode;
  /** More buttons above the list. */
  readonly tools?: ReactNode;
}

/** A new project, or an unfinished one to continue; null while the dialog is closed. */
type OpenDialog = 'new' | ListedProject | null;

/** State of the removal dialog. */
function useRemoval(user: SelfView, onGone: (project: ListedProject) => void) {
  const [projects, setProjects] = useState<readonly ListedProject[]>([]);
  const removal = useRemoveProjects(user.uid, onGone);
  const confirm = () => removal.mutate(projects, { onSettled: () => setProjects([]) });
  return { projects, open: setProjects, confirm, isPending: removal.isPending, error: removal.error, close: () => setProjects([]) };
}

interface NewProjectProps {
  readonly user: SelfView;
  readonly dialog: OpenDialog;
  readonly onClose: () => void;
  readonly onDone: (project: ProjectView) => void;
}

/** The dialog for a new project. What was typed is kept while it is closed. */
function NewProject({ user, dialog, onClose, onDone }: NewProjectProps) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const done = (project: ProjectView) => {
    setDraft(EMPTY_DRAFT);
    onDone(project);
  };
  return (
    <WhileOpen value={dialog}>
      {(open) => (
        <Suspense fallback={null}>
          <NewProjectDialog
            user={user}
            unfinished={open === 'new' ? null : open}
            draft={draft}
            onDraft={(change) => setDraft((now) => ({ ...now, ...change }))}
            onClose={onClose}
            onDone={done}
          />
        </Suspense>
      )}
    </WhileOpen>
  );
}

/** Everything on the projects page below the header. */
export function ProjectsBoard(props: ProjectsBoardProps) {
  const { user, links, collections } = props;
  const options: ShownOptions = { ...props, uid: user.uid };
  const { requireAccount } = useSession();
  const list = useShownProjects(options);
  const { query, groups, shown, completion } = list;
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const selection = useSelection(shown?.own ?? []);
  const editButton = useRef<HTMLButtonElement>(null);
  const endSelection = () => {
    selection.toggle();
    editButton.current?.focus();
  };
  const removal = useRemoval(user, ({ _id }) => selection.forget(_id));
  const complete = useCompleteProjects(user.uid);
  const nav = navOf(options, list, selection.isOn);
  const done = (project: ProjectView) => {
    setDialog(null);
    links.onOpen(project);
  };
  const begin = (what: OpenDialog) => requireAccount() && setDialog(what);

  return (
    <div className="projects">
      <Panel>
        <ViewsSidebar {...nav} />
      </Panel>
      <main>
        <ProjectsBar
          nav={nav}
          completion={completion}
          isFilterable={query.data?.some(({ completed }) => completed) === true}
          isEditing={selection.isOn}
          editRef={editButton}
          onCompletion={list.setCompletion}
          onEdit={() => requireAccount() && selection.toggle()}
          onAdd={() => begin('new')}
          tools={props.tools}
        />
        {selection.isOn && (
          <SelectionBar
            selected={selection.chosen}
            hasShared={(shown?.shared.length ?? 0) > 0}
            actions={collections.actions(
              selection.chosen.map(({ _id }) => _id),
              list.collection,
            )}
            onCompleted={(completed) => complete({ projects: selection.chosen.filter((project) => project.completed !== completed), completed })}
            onRemove={() => removal.open(selection.chosen)}
            onDone={endSelection}
          />
        )}
        {removal.error !== null && <ErrorState>{errorMessage(removal.error)}</ErrorState>}
        {query.isError && groups === null && (
          <ErrorState onRetry={() => void query.refetch()} isPending={query.isFetching}>
            {errorMessage(query.error)}
          </ErrorState>
        )}
        {list.isWaiting && !query.isError && <ProjectsSkeleton />}
        {groups && shown && (
          <ProjectsLists
            groups={groups}
            shown={shown}
            view={list.view}
            completion={completion}
            user={user}
            links={links}
            selection={selection}
            onGoOn={begin}
            onRemove={(project) => removal.open([project])}
          />
        )}
      </main>
      <Panel>{props.aside}</Panel>
      <RemoveProjectDialog projects={removal.projects} isPending={removal.isPending} onConfirm={removal.confirm} onClose={removal.close} />
      <NewProject user={user} dialog={dialog} onClose={() => setDialog(null)} onDone={done} />
    </div>
  );
}
