import type { MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';

/** To the page that resets the password. `onLeave` takes over an ordinary press, to let the form leave first. */
export function ResetLink({ onLeave }: { readonly onLeave?: () => void }) {
  const press = (event: MouseEvent) => {
    const opensHere = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (onLeave === undefined || !opensHere) return;
    event.preventDefault();
    onLeave();
  };
  return (
    <Link className="link" to={paths.passwordReset} onClick={press}>
      Reset Password
    </Link>
  );
}
