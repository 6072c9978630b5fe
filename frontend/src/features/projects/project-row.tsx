import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { relativePast } from '@roughmix/contracts/shared/relative-time.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { Check, MessageSquare, SquareCheck } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import { faceOf } from '../../shared/people/face-of';
import { Badge } from '../../shared/ui/badge';
import { Checkbox } from '../../shared/ui/checkbox';
import { Faces } from '../../shared/ui/faces';
import { Icon } from '../../shared/ui/icon';
import { When } from '../../shared/ui/when';
import { MiniWave } from '../../shared/wave/mini-wave';

/** The parts of a project's URL. */
type Destination = Pick<ListedProject, '_id' | 'owner'>;

/** Links from rows to their projects. */
export interface ProjectLinks {
  readonly hrefOf: (project: Destination) => string;
  readonly onOpen: (project: Destination & Pick<ListedProject, 'projectName'>) => void;
  /** The pointer or focus is on the link: a good time to preload. */
  readonly onNear: (project: Destination) => void;
}

export interface ProjectRowProps {
  readonly project: ListedProject;
  readonly viewer: Uid;
  readonly now: Instant;
  readonly links: ProjectLinks;
  /** Set in edit mode for projects that can be selected. */
  readonly selection?: { readonly isSelected: boolean; readonly onChange: (isSelected: boolean) => void } | undefined;
}

/** True for clicks that the browser should handle: new tab, download. */
const isBrowserClick = (event: MouseEvent) => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;

function People({ project, viewer }: Pick<ProjectRowProps, 'project' | 'viewer'>) {
  const isOwn = project.owner.uid === viewer;
  const people = isOwn ? (project.addedUsers ?? []) : [project.owner];
  return people.length === 0 ? null : <Faces label={isOwn ? 'People in this project' : 'Owner'} people={people.map(faceOf)} size={20} />;
}

function summaryOf({ owner, currentVersion }: ListedProject, viewer: Uid): string {
  const version = currentVersion === null ? 'No versions (yet).' : `${versionNumber(currentVersion)} ${toTyped(currentVersion.tinySummary)}`;
  return owner.uid === viewer ? version : `${isolated(fullName(owner))}, ${version}`;
}

/** How many todos are left; 'all done' once there were some; nothing in a project that never had any. */
function TodosLeft({ todoCount, completedTodoCount }: Pick<ListedProject, 'todoCount' | 'completedTodoCount'>) {
  if (todoCount === 0) {
    return completedTodoCount === 0 ? null : (
      <span title={`${completedTodoCount} completed`}>
        <Icon of={Check} size={14} />
        all done
      </span>
    );
  }
  const todos = todoCount === 1 ? 'todo left' : 'todos left';
  return (
    <span title={`${todoCount} ${todos}`}>
      <Icon of={SquareCheck} size={14} />
      {todoCount}
      <span className="sr"> {todos}</span>
    </span>
  );
}

const Details = ({ project, viewer, now }: Pick<ProjectRowProps, 'project' | 'viewer' | 'now'>) => {
  const comments = project.commentCount === 1 ? 'comment' : 'comments';
  return (
    <div className="last">
      <span className="meta">
        <When at={project.dateModified}>{relativePast(project.dateModified, now)}</When>
      </span>
      <div className="facts">
        <TodosLeft {...project} />
        <span title={`${project.commentCount} ${comments}`}>
          <Icon of={MessageSquare} size={14} />
          {project.commentCount}
          <span className="sr"> {comments}</span>
        </span>
        {project.owner.uid !== viewer && project.permissionLevel !== undefined && <Badge tone="line">{project.permissionLevel.role}</Badge>}
      </div>
    </div>
  );
};

/** One project in the list. */
export function ProjectRow({ project, viewer, now, links, selection }: ProjectRowProps) {
  const follow = (event: MouseEvent) => {
    if (isBrowserClick(event)) return;
    event.preventDefault();
    links.onOpen(project);
  };
  const near = () => links.onNear(project);
  return (
    <li className="proj">
      {selection && (
        <Checkbox className="pick" label={`Select ${project.projectName}`} hidesLabel isSelected={selection.isSelected} onChange={selection.onChange} />
      )}
      <div className="cut">
        <div className="name">
          <h3 className="cut">
            <Link to={links.hrefOf(project)} onClick={follow} onPointerEnter={near} onFocus={near}>
              {project.projectName}
            </Link>
          </h3>
          {project.completed && <Badge tone="success">Completed</Badge>}
        </div>
        <div className="who meta">
          <People project={project} viewer={viewer} />
          <span className="cut">{summaryOf(project, viewer)}</span>
        </div>
      </div>
      <MiniWave peaksUrl={project.currentVersion?.peaksUrl ?? null} />
      <Details project={project} viewer={viewer} now={now} />
    </li>
  );
}
