import { isMember, mayInvite, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import { UserPlus, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { PHONE, useMedia } from '../../shared/hooks/use-media';
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
  /** People who have the project open now, including the user. */
  readonly here: readonly PersonView[];
  readonly hrefOfList: string;
  readonly onInvite: () => void;
  readonly onUsers: () => void;
  readonly menu?: ReactNode;
}

/** Longer names use a smaller font, to leave room for the wave. */
const LONG_NAME = 48;

function HereNow({ here }: Pick<ProjectBannerProps, 'here'>) {
  const isPhone = useMedia(PHONE);
  return (
    <div className="here-now">
      <Faces label="Here now" people={here.map((person) => ({ ...faceOf(person), isHere: true }))} size={28} most={isPhone ? 2 : 5} />
      <span className="only-l">{here.length} here now</span>
    </div>
  );
}

/** The head of a project's page: breadcrumbs, who is here, users and invitations. */
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
