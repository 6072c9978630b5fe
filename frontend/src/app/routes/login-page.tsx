import { decodePeaks } from '@roughmix/contracts/media/peaks.js';
import { Link } from 'react-router-dom';
import { LoginForm } from '../../shared/session/login-form';
import { Logo } from '../../shared/ui/logo';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import { StaticWave } from '../../shared/wave/static-wave';
import { paths } from '../paths';
import './login-page.css';
import { LOGIN_PEAKS } from './login-peaks';

const peaks = decodePeaks(Uint8Array.from(atob(LOGIN_PEAKS), (letter) => letter.charCodeAt(0)));
/** Both choruses of the song, up to the middle of the first. */
const picture = {
  played: 0.534,
  marks: [
    { from: 0.415, to: 0.653, category: 'performance', isSelected: true },
    { from: 0.771, to: 0.891, category: 'mix' },
  ],
} as const;

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
            <StaticWave peaks={peaks} picture={picture} />
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
