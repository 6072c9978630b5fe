import { type FormProblem, hasSpace, namesProblem, passwordLengthProblem, problemAt, usernameProblem } from './form-problem';

/** The welcome form as typed. */
export interface WelcomeDraft {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
}

export const EMPTY_WELCOME: WelcomeDraft = { firstName: '', lastName: '', username: '', newPassword: '', confirmPassword: '' };

/** The username for an empty field. */
export const defaultUsername = ({ firstName, lastName }: Pick<WelcomeDraft, 'firstName' | 'lastName'>): string => `${firstName} ${lastName}`.trim();

function passwordProblem({ newPassword, confirmPassword }: WelcomeDraft): FormProblem | null {
  if (newPassword !== confirmPassword) return { field: 'confirmPassword', message: 'Passwords do not match.' };
  if (hasSpace(newPassword)) return problemAt('newPassword', 'password.space');
  return passwordLengthProblem(newPassword);
}

/** The first rule that the form breaks, in the order of the spec; null if it can be sent. */
export function welcomeProblem(draft: WelcomeDraft, hasPhoto: boolean): FormProblem | null {
  const problem = namesProblem(draft) ?? passwordProblem(draft);
  if (problem !== null) return problem;
  if (!hasPhoto) return problemAt('photo', 'photo.required');
  return draft.username.trim() === '' ? null : usernameProblem(draft.username);
}
