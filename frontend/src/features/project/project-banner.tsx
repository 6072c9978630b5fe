import { isMember, mayInvite, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import { UserPlus, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { faceOf } from '../../shared/people/face-of';
import { Badge } from '../../shared/ui/badge';
import { Button } from '../../shared/ui/button';
import { classNames } from '../../shared/ui/class-names';
import { Faces } from '../../shared/ui/faces';
import { IconButton } from '../../shared/ui/icon-button';
import './project.css';

export interface ProjectBannerProps {
  readonly project: ProjectView;
  readonly viewer: Viewer;
  /** Who looks at it now, oneself among them. */
  readonly here: readonly PersonView[];
  readonly hrefOfList: string;
  readonly onInvite: () => void;
  readonly onUsers: () => void;
  readonly menu?: ReactNode;
}

/** Characters from which on a name is set smaller, so that it leaves the wave its place. */
const LONG_NAME = 48;

const HereNow = ({ here }: Pick<ProjectBannerProps, 'here'>) => (
  <div className="here-now">
    <Faces label="Here now" people={here.map((person) => ({ ...faceOf(person), isHere: true }))} size={28} most={5} />
    <span className="only-l">{here.length} here now</span>
  </div>
);

/** The head of a project's page: where one is, who else is here, whom to ask in. */
export function ProjectBanner({ project, viewer, here, hrefOfList, onInvite, onUsers, menu }: ProjectBannerProps) {
  return (
    <section className="project-banner" aria-label="Project">
      <div className="grow">
        <nav className="crumbs meta" aria-label="Breadcrumb">
          <Link to={hrefOfList}>Projects</Link>
          <span aria-hidden="true">/</span>
          <span className="cut" aria-current="page">
            {project.projectName}
          </span>
        </nav>
        <div className="flex wrap">
          <h1 className={classNames('wide h-project', project.projectName.length > LONG_NAME && 'is-long')}>{project.projectName}</h1>
          {project.visibility === 'public' && <Badge tone="line">Public</Badge>}
          {project.completed && <Badge tone="success">Completed</Badge>}
        </div>
      </div>
      <div className="flex right">
        {here.length > 0 && <HereNow here={here} />}
        <span className="grow only-s" />
        {isMember(viewer) && <IconButton label={viewer.may.owner ? 'Manage users' : 'Project users'} icon={UsersRound} onPress={onUsers} />}
        {menu}
        {mayInvite(viewer) && (
          <Button variant="outline" icon={UserPlus} onPress={onInvite} aria-label="Invite Users">
            <span className="only-l">Invite Users</span>
            <span className="only-s">Invite</span>
          </Button>
        )}
      </div>
    </section>
  );
}
