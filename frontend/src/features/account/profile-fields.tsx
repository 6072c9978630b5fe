import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { usernameFrom } from '@roughmix/contracts/users/username.js';
import { type SelfView, usernameSlug } from '@roughmix/contracts/users/user.view.js';
import { Checkbox } from '../../shared/ui/checkbox';
import { FieldError } from '../../shared/ui/field';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { hasOwnPhoto } from './account.calls';
import { AccountArea, AccountField } from './account-field';
import type { FormProblem } from './form-problem';
import { PictureField } from './picture-field';
import { SETTINGS_PICTURES } from './picture-file';
import type { ProfileDraft } from './settings-rules';
import styles from './settings.module.css';
import { isPictureChanged, type SettingsDraft } from './use-settings-draft';

interface ProfileFieldsProps {
  readonly user: SelfView;
  readonly draft: SettingsDraft;
  readonly problem: FormProblem | null;
  /** Share of the picture that was sent; null unless one is being sent. */
  readonly sent: number | null;
  readonly isLocked: boolean;
}

const DIFFERENT = "Letters, digits, spaces and . - '";

/** Pictures, names and what a person says about themselves. */
export function ProfileFields({ user, draft: { profile, settings, edit, choose, photo, cover }, problem, sent, isLocked }: ProfileFieldsProps) {
  const field = (name: keyof ProfileDraft) => ({ name, value: profile[name], onChange: (value: string) => edit(name, value), problem });
  const username = usernameFrom(profile.username);
  const page = username === null ? null : usernameSlug(username);
  const refused = (kind: 'photo' | 'cover') => (problem?.field === kind ? <FieldError>{problem.message}</FieldError> : null);
  return (
    <div className={styles.profile}>
      <div className="stack">
        <PictureField
          label="Profile picture"
          hint={`PNG or JPEG, cropped square, stored at ${LIMITS.smallPhoto} by ${LIMITS.smallPhoto}.`}
          kind="photo"
          allowed={SETTINGS_PICTURES}
          picture={photo}
          saved={user.largePhoto}
          isRemovable={hasOwnPhoto(user)}
          isDisabled={isLocked}
        />
        {refused('photo')}
      </div>
      <div className={styles.fields}>
        <div className={styles.two}>
          <AccountField {...field('firstName')} label="First Name" max={LIMITS.personName} autoComplete="given-name" required />
          <AccountField {...field('lastName')} label="Last Name" max={LIMITS.personName} autoComplete="family-name" required />
        </div>
        <AccountField
          {...field('username')}
          label="Username"
          max={LIMITS.username}
          hint={
            page === null
              ? DIFFERENT
              : `Your public page: /@${page}${page === usernameSlug(user.username) ? '' : '. Addresses you chose before still lead to it.'}`
          }
          autoComplete="nickname"
          required
        />
        <AccountField {...field('location')} label="Location" max={LIMITS.location} autoComplete="address-level2" />
        <AccountArea {...field('about')} label="About" max={LIMITS.about} rows={3} className={styles.lines} />
        <AccountArea {...field('influences')} label="Influences" max={LIMITS.influences} rows={3} className={styles.lines} />
        <PictureField
          label="Cover"
          hint="PNG or JPEG, cropped to three times as wide as high."
          kind="cover"
          allowed={SETTINGS_PICTURES}
          picture={cover}
          saved={user.coverPhoto}
          isRemovable={user.coverPhoto !== null}
          isDisabled={isLocked}
        />
        {refused('cover')}
        <Checkbox
          label="Hide me from people search and lists of connections (people connected with me still find me)"
          isSelected={settings.profile.hideFromSearch}
          onChange={(hideFromSearch) => choose('profile', { hideFromSearch })}
        />
        <Checkbox label="Keep my page out of search engines" isSelected={settings.profile.noindex} onChange={(noindex) => choose('profile', { noindex })} />
        {sent !== null && (isPictureChanged(photo) || isPictureChanged(cover)) && <ProgressBar label="Uploading your picture" done={sent} />}
      </div>
    </div>
  );
}
