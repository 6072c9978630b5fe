import type { NewProjectSubmission } from '@roughmix/contracts/projects/project.api.js';
import { detailOf, type ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';

/** A new project as it is filled in; kept while the dialog is closed. */
export interface NewProjectDraft {
  readonly title: string;
  readonly tinySummary: string;
  readonly description: string;
  readonly people: readonly PersonView[];
  readonly writeAccess: boolean;
  readonly message: string;
  readonly file: File | null;
}

export const EMPTY_DRAFT: NewProjectDraft = { title: '', tinySummary: '', description: '', people: [], writeAccess: false, message: '', file: null };

export type DraftField = 'title' | 'tinySummary' | 'description' | 'message' | 'file';
export type DraftErrors = { readonly [Field in DraftField]?: string };

const over = (text: string, limit: number, code: ProblemCode): string | undefined => (text.trim().length > limit ? detailOf(code) : undefined);

/** What still keeps the draft from being sent, for each field; empty when nothing does. */
export function draftErrors(draft: NewProjectDraft): DraftErrors {
  const errors: Record<DraftField, string | undefined> = {
    title: draft.title.trim() === '' ? 'Enter a title' : over(draft.title, LIMITS.projectName, 'limit.projectName'),
    tinySummary: over(draft.tinySummary, LIMITS.tinySummary, 'limit.tinySummary'),
    description: over(draft.description, LIMITS.description, 'limit.description'),
    message: over(draft.message, LIMITS.inviteMessage, 'limit.message'),
    file: draft.file === null ? 'Choose an audio file' : undefined,
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined));
}

const filled = <Name extends string>(name: Name, text: string): { readonly [N in Name]?: string } =>
  text.trim() === '' ? {} : ({ [name]: text.trim() } as { readonly [N in Name]?: string });

/** Everybody is invited to comment and download; write access says more. */
const INVITED_LEVEL = 3;

/** The draft as the server takes it; without a summary the server says 'Initial Version'. */
export const submissionOf = (draft: NewProjectDraft): NewProjectSubmission => ({
  projectName: draft.title.trim(),
  ...filled('tinySummary', draft.tinySummary),
  ...filled('description', draft.description),
  ...(draft.people.length === 0
    ? {}
    : { invitedUsers: draft.people.map(({ uid }) => `${uid}-${INVITED_LEVEL}`), writeAccess: draft.writeAccess, ...filled('message', draft.message) }),
});
