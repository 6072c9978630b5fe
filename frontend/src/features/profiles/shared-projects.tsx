import type { ProfileProject } from '@roughmix/contracts/profiles/profile.view.js';
import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { AudioLines } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { PersonLink } from '../../shared/people/person-link';
import { useSession } from '../../shared/session/session-provider';
import { Avatar } from '../../shared/ui/avatar';
import { Button } from '../../shared/ui/button';
import { buttonClass } from '../../shared/ui/button-class';
import { classNames } from '../../shared/ui/class-names';
import { EmptyState } from '../../shared/ui/empty-state';
import { MiniWave } from '../../shared/wave/mini-wave';
import styles from './profiles.module.css';

export interface ProjectsSectionProps {
  readonly title: string;
  readonly projects: readonly ProfileProject[];
  /** Counts what the list shows. */
  readonly isCounted?: boolean;
  readonly hrefOf: (project: ProfileProject) => string;
  /** Stands in for an empty list. */
  readonly empty: ReactNode;
}

const LABEL = 'Go to Project';

/** Without a session a project cannot be opened: the button asks for one. */
function GoToProject({ project, hrefOf }: Pick<ProjectsSectionProps, 'hrefOf'> & { readonly project: ProfileProject }) {
  const { user, requireAccount } = useSession();
  const name = <span className="sr"> {project.projectName}</span>;
  return user === null ? (
    <Button size="s" variant="outline" onPress={requireAccount}>
      {LABEL}
      {name}
    </Button>
  ) : (
    <Link to={hrefOf(project)} className={buttonClass({ size: 's', variant: 'outline' })}>
      {LABEL}
      {name}
    </Link>
  );
}

function Project({ project, hrefOf }: Pick<ProjectsSectionProps, 'hrefOf'> & { readonly project: ProfileProject }) {
  const { owner, currentVersion, projectName, peaksUrl } = project;
  const { user } = useSession();
  return (
    <li className={classNames(styles.project, user === null && styles.withoutWave)}>
      <div className="cut">
        <h3 className="cut">{projectName}</h3>
        <div className={styles.by}>
          <Avatar name={fullName(owner)} photo={owner.smallPhoto} size={20} isDecorative />
          <span className="meta cut">
            <PersonLink person={owner} />,{' '}
            {currentVersion === null ? 'No versions (yet).' : `${versionNumber(currentVersion)} ${toTyped(currentVersion.tinySummary)}`}
          </span>
        </div>
      </div>
      {user !== null && <MiniWave peaksUrl={peaksUrl} />}
      <GoToProject project={project} hrefOf={hrefOf} />
    </li>
  );
}

/** Projects of a profile, each with its owner and the way to it. */
export function ProjectsSection({ title, projects, isCounted = true, hrefOf, empty }: ProjectsSectionProps) {
  return (
    <section aria-label={title}>
      <h2 className="wide">
        {title} {isCounted && <span className="meta">{projects.length}</span>}
      </h2>
      {projects.length === 0 ? (
        <EmptyState icon={AudioLines}>{empty}</EmptyState>
      ) : (
        <ul>
          {projects.map((project) => (
            <Project key={project._id} project={project} hrefOf={hrefOf} />
          ))}
        </ul>
      )}
    </section>
  );
}
