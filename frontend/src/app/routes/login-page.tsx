import { decodePeaks } from '@roughmix/contracts/media/peaks.js';
import { Link } from 'react-router-dom';
import { LoginForm } from '../../shared/session/login-form';
import { Logo } from '../../shared/ui/logo';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import type { DrawnMark } from '../../shared/wave/wave-drawing';
import { WavePicture } from '../../shared/wave/wave-picture';
import { paths } from '../paths';
import './login-page.css';
import { LOGIN_PEAKS } from './login-peaks';

const peaks = decodePeaks(Uint8Array.from(atob(LOGIN_PEAKS), (letter) => letter.charCodeAt(0)));
/** Both choruses of the song, up to the middle of the first. */
const PLAYED = 0.534;
const MARKS: readonly DrawnMark[] = [
  { id: 'first', start: 0.415, end: 0.653, category: 'performance', isSelected: true },
  { id: 'second', start: 0.771, end: 0.891, category: 'mix', isSelected: false },
];

/** The login page. */
export function LoginPage() {
  usePageTitle('Log In | Roughmix beta');
  return (
    <div className="login-page">
      <header>
        <Link to={paths.login}>
          <Logo />
        </Link>
      </header>
      <main>
        <div className="pic">
          <div className="wave">
            <WavePicture peaks={peaks} played={PLAYED} marks={MARKS} />
          </div>
          <p>Pick up at the bar where you stopped.</p>
        </div>
        <div>
          <h1 className="wide">Log In</h1>
          <LoginForm />
        </div>
      </main>
      <footer className="meta">Roughmix, 2022</footer>
    </div>
  );
}
