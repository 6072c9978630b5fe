import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { AudioLines, Play } from 'lucide-react';
import { useNow } from '../../shared/hooks/use-now';
import { Button } from '../../shared/ui/button';
import { EmptyState } from '../../shared/ui/empty-state';
import { type Completion, isUnfinished, type ProjectGroups, type ShownView } from './project-groups';
import { ProjectRow, type ProjectLinks } from './project-row';
import { UnfinishedRow } from './unfinished-row';
import type { Selection } from './use-selection';

interface ProjectsListsProps {
  /** All projects, and those of them that are shown. */
  readonly groups: ProjectGroups;
  readonly shown: ProjectGroups;
  readonly view: ShownView;
  readonly completion: Completion;
  readonly user: SelfView;
  readonly links: ProjectLinks;
  readonly selection: Selection;
  readonly onGoOn: (project: ListedProject) => void;
  readonly onRemove: (project: ListedProject) => void;
}

function NothingYet({ tutorial, links }: { readonly tutorial: ListedProject | undefined; readonly links: ProjectLinks }) {
  const open = tutorial && (
    <Button variant="outline" icon={Play} onPress={() => links.onOpen(tutorial)}>
      Open the tutorial project
    </Button>
  );
  return (
    <div className="nothing">
      <EmptyState icon={AudioLines} isPage action={open}>
        <b className="wide h-page">Nothing here yet</b>
        Click &quot;Add Project&quot; above to add a track you&apos;re working on
      </EmptyState>
    </div>
  );
}

/** Why a list is empty, although the user has projects. */
const EMPTY: Readonly<Record<Completion, string>> = {
  all: 'No projects in this collection (yet).',
  open: 'No projects in progress.',
  completed: 'No completed projects (yet).',
};

function OwnProjects({ groups, shown, view, completion, user, links, selection, onGoOn, onRemove }: ProjectsListsProps) {
  const now = useNow();
  const hasOwn = groups.own.some(({ initialLogin }) => !initialLogin);
  if (!hasOwn && !selection.isOn && (view === 'all' || shown.own.length === 0))
    return user.isGuest ? null : <NothingYet tutorial={groups.own[0]} links={links} />;
  if (shown.own.length === 0) {
    const hasOthers = view === 'all' && (completion === 'all' || shown.shared.length + shown.open.length > 0);
    return hasOthers ? null : <p className="nothing soft">{EMPTY[completion]}</p>;
  }
  return (
    <>
      <h2 className="sr">Your projects</h2>
      <ul aria-label="Your projects">
        {shown.own.map((project) =>
          isUnfinished(project) ? (
            <UnfinishedRow key={project._id} project={project} onGoOn={() => onGoOn(project)} onRemove={() => onRemove(project)} />
          ) : (
            <ProjectRow
              key={project._id}
              project={project}
              viewer={user.uid}
              now={now}
              links={links}
              selection={selection.isOn ? { isSelected: selection.chosen.includes(project), onChange: (is) => selection.set(project._id, is) } : undefined}
            />
          ),
        )}
      </ul>
    </>
  );
}

interface OthersProps extends Pick<ProjectsListsProps, 'user' | 'links'> {
  readonly title: string;
  readonly projects: readonly ListedProject[];
  readonly hidesTitle: boolean;
}

function Others({ title, projects, hidesTitle, user, links }: OthersProps) {
  const now = useNow();
  if (projects.length === 0) return null;
  return (
    <section aria-label={title}>
      {hidesTitle ? (
        <h2 className="sr">{title}</h2>
      ) : (
        <div className="shared">
          <h2 className="h-panel">{title}</h2>
          <span className="meta">{projects.length}</span>
        </div>
      )}
      <ul>
        {projects.map((project) => (
          <ProjectRow key={project._id} project={project} viewer={user.uid} now={now} links={links} />
        ))}
      </ul>
    </section>
  );
}

/** The user's own projects, then those of others. */
export function ProjectsLists(props: ProjectsListsProps) {
  const { shown, view, user, links, selection } = props;
  const others = { user, links };
  return (
    <div className={selection.isOn ? 'editing' : undefined}>
      {view !== 'shared' && <OwnProjects {...props} />}
      <Others title="Projects shared with you" projects={shown.shared} hidesTitle={view === 'shared'} {...others} />
      <Others title="Public projects" projects={shown.open} hidesTitle={user.isGuest} {...others} />
      {view === 'all' && user.isGuest && shown.open.length === 0 && <p className="nothing soft">No public projects (yet).</p>}
    </div>
  );
}
