import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { usernameFrom } from '@roughmix/contracts/users/username.js';
import { type SelfView, usernameSlug } from '@roughmix/contracts/users/user.view.js';
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { Button } from '../../shared/ui/button';
import { FieldError } from '../../shared/ui/field';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { hasOwnPhoto } from './account.calls';
import { AccountField, showProblem } from './account-field';
import { PictureField } from './picture-field';
import { WELCOME_PICTURES } from './picture-file';
import { usePicture } from './use-picture';
import { useWelcome } from './use-welcome';
import { defaultUsername, EMPTY_WELCOME, type WelcomeDraft } from './welcome-rules';
import styles from './welcome.module.css';

export interface WelcomeFormProps {
  readonly user: SelfView;
  readonly onAccepted: (user: SelfView) => void;
  readonly onCompletedElsewhere: () => void;
}

/** The address of the public page that a username leads to; null while it is not one. */
function publicPage(username: string): string | null {
  const valid = usernameFrom(username);
  return valid === null ? null : `/@${usernameSlug(valid)}`;
}

/** In a tab of their own, so that nothing typed is lost. */
const Legal = () => (
  <p className="hint grow">
    By starting you accept the{' '}
    <Link to={paths.terms} target="_blank" rel="noopener">
      Terms of Service
    </Link>{' '}
    and the{' '}
    <Link to={paths.privacy} target="_blank" rel="noopener">
      Privacy Policy
    </Link>
    .
  </p>
);

/** Name, picture and a password of their own, before a new user sees anything else. */
export function WelcomeForm({ user, ...events }: WelcomeFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const messageId = useId();
  const picture = usePicture(WELCOME_PICTURES);
  const { isSending, sent, problem, isPictureSaved, submit } = useWelcome({ user, picture: picture.chosen, ...events });
  const [draft, setDraft] = useState<WelcomeDraft>({ ...EMPTY_WELCOME, firstName: user.firstName, lastName: user.lastName });
  useEffect(() => showProblem(form.current, problem), [problem]);
  const field = (name: keyof WelcomeDraft) => ({
    name,
    value: draft[name],
    onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
    size: 'l' as const,
    problem,
    messageId,
  });
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    submit(draft);
  };
  const page = publicPage(draft.username.trim() === '' ? defaultUsername(draft) : draft.username);
  return (
    <form className={styles.form} ref={form} onSubmit={onSubmit} aria-label="Your profile">
      <PictureField
        label="Profile picture*"
        hint={`PNG, JPEG or GIF, cropped square, stored at ${LIMITS.smallPhoto} by ${LIMITS.smallPhoto}.`}
        kind="photo"
        allowed={WELCOME_PICTURES}
        picture={picture}
        saved={hasOwnPhoto(user) && !isPictureSaved ? user.largePhoto : null}
        isDisabled={isSending}
        describedBy={problem?.field === 'photo' ? messageId : undefined}
      />
      <div className={styles.fields}>
        <div className={styles.two}>
          <AccountField {...field('firstName')} label="First Name*" max={LIMITS.personName} autoComplete="given-name" required />
          <AccountField {...field('lastName')} label="Last Name*" max={LIMITS.personName} autoComplete="family-name" required />
        </div>
        <AccountField
          {...field('username')}
          label="Username"
          beside={<span className="meta">optional</span>}
          placeholder={defaultUsername(draft)}
          hint={page === null ? "Letters, digits, spaces and . - '" : `Your public page: ${page}`}
          max={LIMITS.username}
          autoComplete="nickname"
        />
        {/* So that a password manager knows whose password it is. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <div className={styles.two}>
          <AccountField {...field('newPassword')} label="New Password*" type="password" autoComplete="new-password" required />
          <AccountField {...field('confirmPassword')} label="Confirm Password*" type="password" autoComplete="new-password" required />
        </div>
        {problem !== null && <FieldError id={messageId}>{problem.message}</FieldError>}
        {sent !== null && <ProgressBar label="Uploading your picture" done={sent} />}
        <div className={styles.end}>
          <Button type="submit" variant="primary" size="l" isPending={isSending}>
            {isSending ? 'One sec' : 'Get Started'}
          </Button>
          <Legal />
        </div>
      </div>
    </form>
  );
}
