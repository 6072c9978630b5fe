import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { faceOf } from '../../shared/people/face-of';
import { buttonClass } from '../../shared/ui/button-class';
import { classNames } from '../../shared/ui/class-names';
import { Faces } from '../../shared/ui/faces';
import { Icon } from '../../shared/ui/icon';
import './project.css';
import { useShrunk } from './use-shrunk';

export interface MiniHeaderProps {
  readonly here: readonly PersonView[];
  readonly hrefOfList: string;
  /** The mini player. */
  readonly children: ReactNode;
}

/** The collapsed header, shown once the page is scrolled. */
export function MiniHeader({ here, hrefOfList, children }: MiniHeaderProps) {
  const isShrunk = useShrunk();
  return (
    <div className={classNames('mini', isShrunk && 'is-shown')} inert={!isShrunk}>
      <Link className="ib" to={hrefOfList} aria-label="Back to Projects">
        <Icon of={ArrowLeft} size={18} />
      </Link>
      {children}
      {here.length > 0 && <Faces label="Here now" people={here.map(faceOf)} />}
      <Link className={buttonClass({ variant: 'outline', className: 'only-l' })} to={hrefOfList}>
        Projects
      </Link>
    </div>
  );
}
