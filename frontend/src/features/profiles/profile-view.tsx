import type { ProfilePageAnswer, ProfileProject } from '@roughmix/contracts/profiles/profile.view.js';
import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import type { ReactNode } from 'react';
import { useSession } from '../../shared/session/session-provider';
import { Avatar } from '../../shared/ui/avatar';
import { BlockButton } from './block-button';
import { ConnectionsList } from './connections-list';
import { FollowButton } from './follow-button';
import { ProfileCover } from './profile-cover';
import { ProfileFacts } from './profile-facts';
import styles from './profiles.module.css';
import { ProjectsSection } from './shared-projects';

export interface ProfileProps {
  readonly data: ProfilePageAnswer;
  readonly hrefOf: (project: ProfileProject) => string;
  /** What the person can do on their own page. */
  readonly ownActions?: ReactNode;
}

const counted = (count: number, isOwn: boolean): string => `${count} ${isOwn ? '' : 'shared '}${count === 1 ? 'project' : 'projects'}`;

function emptyNoteOf(isOwn: boolean, seesConnections: boolean): string {
  if (isOwn) return 'No connections (yet). Follow people, or invite them to a project.';
  return seesConnections ? 'No connections (yet).' : 'Only people with an account can see connections.';
}

/** What the viewer can do about the person. */
const OthersActions = ({ person }: { readonly person: PersonView }) => (
  <>
    <FollowButton person={person} isMain />
    <BlockButton person={person} />
  </>
);

/** One's own page leads with the latest project. */
function OwnProjects({ projects, hrefOf }: Pick<ProfileProps, 'hrefOf'> & { readonly projects: readonly ProfileProject[] }) {
  return (
    <>
      <ProjectsSection
        title="Latest Project"
        projects={projects.slice(0, 1)}
        isCounted={false}
        hrefOf={hrefOf}
        empty="No projects (yet). Add your first one under Projects."
      />
      {projects.length > 1 && <ProjectsSection title="Other Projects" projects={projects.slice(1)} hrefOf={hrefOf} empty="" />}
    </>
  );
}

/** A person's page: their own, or as others see it. */
export function Profile({ data, hrefOf, ownActions }: ProfileProps) {
  const { user, projects, connections } = data;
  const { user: viewer } = useSession();
  const isOwn = viewer?.uid === user.uid;
  const seesConnections = viewer !== null && !viewer.isGuest;
  const name = fullName(user);
  const latest = projects.find(({ peaksUrl }) => peaksUrl !== null) ?? projects[0] ?? null;
  return (
    <>
      <ProfileCover latest={latest} picture={user.coverPhoto} />
      <main className={styles.page}>
        <div className={styles.identity}>
          <Avatar name={name} photo={user.largePhoto} size={112} isDecorative />
          <h1 className="grow">{name}</h1>
          <div className={styles.actions}>{isOwn ? ownActions : <OthersActions person={user} />}</div>
        </div>
        <div className={styles.columns}>
          <div>
            <ProfileFacts user={user} projects={counted(projects.length, isOwn)} />
            <ConnectionsList connections={seesConnections ? connections : null} emptyNote={emptyNoteOf(isOwn, seesConnections)} />
          </div>
          <div className={styles.projects}>
            {isOwn ? (
              <OwnProjects projects={projects} hrefOf={hrefOf} />
            ) : (
              <ProjectsSection title="Shared Projects" projects={projects} hrefOf={hrefOf} empty="No shared projects (yet)." />
            )}
          </div>
        </div>
      </main>
    </>
  );
}
