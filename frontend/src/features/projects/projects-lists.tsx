import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { AudioLines, Play } from 'lucide-react';
import { useNow } from '../../shared/hooks/use-now';
import { Button } from '../../shared/ui/button';
import { EmptyState } from '../../shared/ui/empty-state';
import { isUnfinished, type ProjectGroups } from './project-groups';
import { ProjectRow, type ProjectLinks } from './project-row';
import { UnfinishedRow } from './unfinished-row';
import type { Selection } from './use-selection';
import type { ListView } from './views-nav';

interface ProjectsListsProps {
  readonly groups: ProjectGroups;
  readonly view: ListView['id'];
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

function OwnProjects({ groups, user, links, selection, onGoOn, onRemove }: Omit<ProjectsListsProps, 'view'>) {
  const now = useNow();
  const isEmpty = groups.own.every(({ initialLogin }) => initialLogin);
  if (isEmpty && !selection.isOn) return user.isGuest ? null : <NothingYet tutorial={groups.own[0]} links={links} />;
  return (
    <>
      <h2 className="sr">Your projects</h2>
      <ul aria-label="Your projects">
        {groups.own.map((project) =>
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
export function ProjectsLists({ view, ...props }: ProjectsListsProps) {
  const { groups, user, links, selection } = props;
  const isAll = view === 'all';
  return (
    <div className={selection.isOn ? 'editing' : undefined}>
      {isAll && <OwnProjects {...props} />}
      <Others title="Projects shared with you" projects={groups.shared} hidesTitle={!isAll} user={user} links={links} />
      {isAll && <Others title="Public projects" projects={groups.open} hidesTitle={user.isGuest} user={user} links={links} />}
      {isAll && user.isGuest && groups.open.length === 0 && <p className="nothing soft">No public projects (yet).</p>}
    </div>
  );
}
