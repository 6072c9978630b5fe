import { Link, NavigationType, useNavigate, useNavigationType } from 'react-router-dom';
import { paths } from '../../app/paths';
import { useSession } from '../../shared/session/session-provider';
import { buttonClass } from '../../shared/ui/button-class';

/** To the page that led here. If the user did not come from one of ours: to their projects, or to the login. */
export function BackLink() {
  const { user } = useSession();
  const navigate = useNavigate();
  const cameFromOurs = useNavigationType() === NavigationType.Push;
  return (
    <Link
      className={buttonClass({ variant: 'quiet' })}
      to={user === null ? paths.login : paths.projects}
      onClick={(event) => {
        if (!cameFromOurs || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void navigate(-1);
      }}
    >
      Back
    </Link>
  );
}

/** To the contact form. */
export const ContactLink = () => (
  <Link className={buttonClass({ variant: 'quiet' })} to={paths.contact}>
    Contact
  </Link>
);
