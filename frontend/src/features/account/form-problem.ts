import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf, type ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { isInvalidName } from '@roughmix/contracts/users/person-name.js';
import { usernameFrom } from '@roughmix/contracts/users/username.js';
import { ApiProblem, errorMessage } from '../../shared/api/api-errors';

/** The controls of the welcome form and the settings. */
export type AccountField =
  | 'firstName'
  | 'lastName'
  | 'username'
  | 'location'
  | 'about'
  | 'influences'
  | 'currentPassword'
  | 'newPassword'
  | 'confirmPassword'
  | 'photo'
  | 'cover';

/** Why a form was not accepted. `field` is the control to correct; null if none is at fault. */
export interface FormProblem {
  readonly field: AccountField | null;
  readonly message: string;
  /** The picture that was refused. */
  readonly file?: File;
}

/** Unicode white space, as the server sees it. */
export const hasSpace = (text: string): boolean => /\s/.test(text);

export const problemAt = (field: AccountField, code: ProblemCode): FormProblem => ({ field, message: detailOf(code) });

/** First and last name: characters, then lengths. */
export function namesProblem({ firstName, lastName }: { readonly firstName: string; readonly lastName: string }): FormProblem | null {
  if (isInvalidName(firstName)) return problemAt('firstName', 'name.space');
  if (isInvalidName(lastName)) return problemAt('lastName', 'name.space');
  if (firstName.length > LIMITS.personName) return problemAt('firstName', 'limit.firstName');
  return lastName.length > LIMITS.personName ? problemAt('lastName', 'limit.lastName') : null;
}

/** The length of a password without spaces. */
export function passwordLengthProblem(password: string): FormProblem | null {
  if (password.length < LIMITS.passwordMin) return problemAt('newPassword', 'password.too-short');
  return password.length > LIMITS.password ? problemAt('newPassword', 'password.too-long') : null;
}

/** A chosen username. */
export function usernameProblem(username: string): FormProblem | null {
  if (username.trim().length > LIMITS.username) return problemAt('username', 'limit.username');
  return usernameFrom(username) === null ? problemAt('username', 'username.invalid') : null;
}

const FIELDS: Partial<Record<ProblemCode, AccountField>> = {
  'name.space': 'firstName',
  'name.reserved': 'firstName',
  'limit.firstName': 'firstName',
  'limit.lastName': 'lastName',
  'limit.username': 'username',
  'username.invalid': 'username',
  'user.username-taken': 'username',
  'password.incorrect': 'currentPassword',
};

const INFO_FIELDS: readonly AccountField[] = ['location', 'about', 'influences'];

function fieldOf({ code, field }: ApiProblem['problem']): AccountField | null {
  if (code === 'throttled') return field === 'username' ? field : null;
  if (code === 'limit.info') return INFO_FIELDS.find((one) => field?.endsWith(one)) ?? null;
  return FIELDS[code] ?? (code.startsWith('password.') ? 'newPassword' : null);
}

/** The picture that was being saved when a request failed. */
export interface SavedPicture {
  readonly kind: 'photo' | 'cover';
  readonly file?: File | undefined;
}

/** A failed request as a problem of the form. */
export function problemOf(error: unknown, { kind, file }: SavedPicture = { kind: 'photo' }): FormProblem {
  const message = errorMessage(error);
  if (!(error instanceof ApiProblem)) return { field: null, message };
  const isOfPicture = error.problem.code.startsWith('upload.') || error.problem.code.startsWith('photo.');
  if (!isOfPicture) return { field: fieldOf(error.problem), message };
  return file === undefined ? { field: kind, message } : { field: kind, message, file };
}
