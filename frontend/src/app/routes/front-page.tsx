import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type DemoMark, DemoWave } from '../../features/front-door/demo/demo-wave';
import { BackLink, ContactLink } from '../../features/front-door/head-links';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import { useSession } from '../../shared/session/session-provider';
import { Logo } from '../../shared/ui/logo';
import { paths } from '../paths';
import './front-page.css';

/** Both choruses of the song, up to the middle of the first. */
const PLAYED = 0.534;
const MARKS: readonly DemoMark[] = [
  { start: 0.415, end: 0.653, category: 'performance', isSelected: true },
  { start: 0.771, end: 0.891, category: 'mix' },
];

export interface FrontPageProps {
  readonly heading: string;
  /** The link at the end of the bar. */
  readonly end?: 'contact' | 'back';
  /** The form slides away before the next page. */
  readonly isLeaving?: boolean;
  /** The form. */
  readonly children: ReactNode;
  /** In full width under the form. */
  readonly below?: ReactNode;
}

/** The frame of the pages with one form: a picture of a waveform beside it. */
export function FrontPage({ heading, end = 'back', isLeaving = false, children, below }: FrontPageProps) {
  usePageTitle(`${heading} | Roughmix beta`);
  const { user } = useSession();
  return (
    <div className="front-page">
      <header>
        <Link to={user === null ? paths.landing : paths.projects}>
          <Logo />
        </Link>
        {end === 'contact' ? <ContactLink /> : <BackLink />}
      </header>
      <main>
        <div className="pic">
          <div className="wave">
            <DemoWave wave="low-tide-2.0" marks={MARKS} played={PLAYED} />
          </div>
          <p>Pick up at the bar where you stopped.</p>
        </div>
        <div className={isLeaving ? 'slides-away' : undefined}>
          <h1 className="wide">{heading}</h1>
          {children}
        </div>
        {below !== undefined && <div className="below">{below}</div>}
      </main>
      <footer>
        <Link to={paths.terms}>Terms</Link>
        <Link to={paths.privacy}>Privacy Policy</Link>
        <span className="meta">Roughmix, 2022</span>
      </footer>
    </div>
  );
}
