import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { usernameFrom } from '@roughmix/contracts/users/username.js';
import type { EditUserBody, UserInfoBody, UserSettingsBody } from '@roughmix/contracts/users/user.api.js';
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

/** Browsers check required fields only while their tab is open. */
function missingName({ firstName, lastName }: ProfileDraft): FormProblem | null {
  if (firstName === '') return { field: 'firstName', message: 'Enter your first name' };
  return lastName === '' ? { field: 'lastName', message: 'Enter your last name' } : null;
}

/** The first rule that the settings break; null if they can be saved. */
export const settingsProblem = (draft: ProfileDraft, password: PasswordDraft): FormProblem | null =>
  missingName(draft) ?? namesProblem(draft) ?? usernameProblem(draft.username) ?? infoProblem(draft) ?? passwordProblem(password);

const nullIfEmpty = <Body extends object>(body: Body): Body | null => (Object.keys(body).length === 0 ? null : body);

/** The texts that differ from the saved profile; null if none does. */
export function profileChanges(user: SelfView, draft: ProfileDraft): EditUserBody | null {
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
  return nullIfEmpty(body);
}

/** The switches that differ from the saved ones, of these groups; null if none does. */
export function switchChanges(saved: UserSettings, chosen: UserSettings, groups: readonly (keyof UserSettings)[]): UserSettingsBody | null {
  const body: UserSettingsBody = {};
  for (const group of groups) {
    const before: Readonly<Record<string, boolean>> = saved[group];
    const changed = Object.entries(chosen[group]).filter(([name, isOn]) => before[name] !== isOn);
    if (changed.length > 0) body[group] = Object.fromEntries(changed);
  }
  return nullIfEmpty(body);
}

/** What one request saves of both tabs; null for nothing. */
export function accountChanges(user: SelfView, draft: ProfileDraft, chosen: UserSettings): EditUserBody | null {
  const body = profileChanges(user, draft) ?? {};
  const settings = switchChanges(user.settings, chosen, ['pushNotifs', 'mailNotifs', 'profile']);
  if (settings !== null) body.settings = settings;
  return nullIfEmpty(body);
}
