import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { usernameFrom } from '@roughmix/contracts/users/username.js';
import type { EditUserBody, ProfileSettingsBody, UserInfoBody } from '@roughmix/contracts/users/user.api.js';
import type { SelfView, UserSettings } from '@roughmix/contracts/users/user.view.js';
import { type FormProblem, hasSpace, namesProblem, passwordLengthProblem, usernameProblem } from './form-problem';

/** The texts of the Profile tab. */
export interface ProfileDraft {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  readonly location: string;
  readonly about: string;
  readonly influences: string;
}

/** Who may find the profile. */
export type PrivacyDraft = UserSettings['profile'];

export interface PasswordDraft {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
}

export const NO_PASSWORD: PasswordDraft = { currentPassword: '', newPassword: '', confirmPassword: '' };

export const profileOf = ({ firstName, lastName, username, info }: SelfView): ProfileDraft => ({ firstName, lastName, username, ...info });

/** A current password alone, as browsers fill it in, changes nothing. */
export const changesPassword = ({ newPassword, confirmPassword }: PasswordDraft): boolean => newPassword !== '' || confirmPassword !== '';

const INFO_LIMITS = { location: LIMITS.location, about: LIMITS.about, influences: LIMITS.influences } as const;

function infoProblem(draft: ProfileDraft): FormProblem | null {
  for (const field of ['location', 'about', 'influences'] as const) {
    if (draft[field].length > INFO_LIMITS[field]) return { field, message: `Profile texts have at most ${INFO_LIMITS[field]} characters` };
  }
  return null;
}

export const PASSWORD_SPACE: FormProblem = { field: 'newPassword', message: 'Invalid Characters in your new password' };

function passwordProblem(password: PasswordDraft): FormProblem | null {
  if (!changesPassword(password)) return null;
  if (hasSpace(password.newPassword)) return PASSWORD_SPACE;
  if (password.newPassword !== password.confirmPassword) return { field: 'confirmPassword', message: 'New Passwords do not match.' };
  return passwordLengthProblem(password.newPassword);
}

/** The first rule that the settings break; null if they can be saved. */
export const settingsProblem = (draft: ProfileDraft, password: PasswordDraft): FormProblem | null =>
  namesProblem(draft) ?? usernameProblem(draft.username) ?? infoProblem(draft) ?? passwordProblem(password);

/** What differs from the saved profile; null if nothing does. */
export function profileChanges(user: SelfView, draft: ProfileDraft, privacy: PrivacyDraft): EditUserBody | null {
  const saved = profileOf(user);
  const body: EditUserBody = {};
  if (draft.firstName !== saved.firstName) body.firstName = draft.firstName;
  if (draft.lastName !== saved.lastName) body.lastName = draft.lastName;
  if ((usernameFrom(draft.username) ?? draft.username) !== saved.username) body.username = draft.username.trim();
  const info: UserInfoBody = {};
  for (const field of ['location', 'about', 'influences'] as const) {
    if (draft[field] !== saved[field]) info[field] = draft[field];
  }
  if (Object.keys(info).length > 0) body.info = info;
  const changed: ProfileSettingsBody = {};
  for (const name of ['hideFromSearch', 'noindex'] as const) {
    if (privacy[name] !== user.settings.profile[name]) changed[name] = privacy[name];
  }
  if (Object.keys(changed).length > 0) body.settings = { profile: changed };
  return Object.keys(body).length === 0 ? null : body;
}
