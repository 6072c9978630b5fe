import { maySeeMembers, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import { Download, MessageSquare } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { PersonLink } from '../../shared/people/person-link';
import { Avatar } from '../../shared/ui/avatar';
import { Badge } from '../../shared/ui/badge';
import { Button } from '../../shared/ui/button';
import { classNames } from '../../shared/ui/class-names';
import { Icon } from '../../shared/ui/icon';
import { Description } from './description';
import { parseEntry } from './member-roles';
import './project.css';
import { useStoredChoice } from './use-stored-choice';

export interface InformationPanelProps {
  readonly project: ProjectView;
  readonly viewer: Viewer;
  readonly here: readonly PersonView[];
}

interface RowProps {
  readonly person: PersonView;
  readonly isHere: boolean;
  readonly children: ReactNode;
}

const Row = ({ person, isHere, children }: RowProps) => (
  <li className="prow">
    <Avatar name={fullName(person)} photo={person.smallPhoto} isHere={isHere} isDecorative={!isHere} />
    <span className="grow cut">
      <PersonLink person={person} />
    </span>
    {children}
  </li>
);

function Member({ person, project, isHere }: { readonly person: PersonView; readonly project: ProjectView; readonly isHere: boolean }) {
  const { role, may } = parseEntry(project, person.uid);
  return (
    <Row person={person} isHere={isHere}>
      {role === 'Viewer' && may.comment && (
        <span title="May comment">
          <Icon of={MessageSquare} size={14} />
          <span className="sr">may comment</span>
        </span>
      )}
      {role === 'Viewer' && may.download && (
        <span title="May download">
          <Icon of={Download} size={14} />
          <span className="sr">may download</span>
        </span>
      )}
      <span className="meta">{role}</span>
    </Row>
  );
}

function People({ project, viewer, here }: InformationPanelProps) {
  const isHere = ({ uid }: PersonView) => here.some((person) => person.uid === uid);
  const added = maySeeMembers(viewer) ? (project.addedUsers ?? []) : [];
  return (
    <div>
      <ul aria-label="People in this project">
        <Row person={project.owner} isHere={isHere(project.owner)}>
          <Badge tone="line">Owner</Badge>
        </Row>
        {added.map((person) => (
          <Member key={person.uid} person={person} project={project} isHere={isHere(person)} />
        ))}
      </ul>
      {maySeeMembers(viewer) && added.length === 0 && <p className="meta">No other users added (yet).</p>}
    </div>
  );
}

/** The project's description and members. */
export function InformationPanel(props: InformationPanelProps) {
  const [isShown, setShown] = useStoredChoice('roughmix.details', true);
  // With the page, they are just there.
  const [isOpened, setOpened] = useState(false);
  const toggle = () => {
    setOpened(true);
    setShown(!isShown);
  };
  return (
    <section className="panel" aria-labelledby="project-information">
      <div className="head">
        <h2 className="h-panel grow" id="project-information">
          Project information
        </h2>
        <Button size="s" variant="quiet" aria-expanded={isShown} onPress={toggle}>
          {isShown ? 'Hide details' : 'Show details'}
        </Button>
      </div>
      {isShown && (
        <div className={classNames('body stack', isOpened && 'arrives')}>
          <Description project={props.project} viewer={props.viewer} />
          <People {...props} />
        </div>
      )}
    </section>
  );
}
