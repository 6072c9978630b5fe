import type { NewProjectSubmission } from '@roughmix/contracts/projects/project.api.js';
import { detailOf, type ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import { trimmed } from '@roughmix/contracts/shared/visible-text.js';
import { type Mentionable, mentionablesOf } from '../../shared/writing/mention-search';
import { tinySummaryOf } from '../../shared/writing/tiny-summary';

/** Input of the New Project form; kept while the dialog is closed. */
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

/** Whom the summary can mention: the people to invite, who become members together with the first version. */
export const mentionablesIn = ({ people }: Pick<NewProjectDraft, 'people'>): readonly Mentionable[] => (people.length === 0 ? [] : mentionablesOf(people, ''));

/** Validation errors per field; empty if valid. */
export function draftErrors(draft: NewProjectDraft): DraftErrors {
  const errors: Record<DraftField, string | undefined> = {
    title: trimmed(draft.title) === '' ? 'Enter a title' : over(draft.title, LIMITS.projectName, 'limit.projectName'),
    tinySummary: tinySummaryOf(draft.tinySummary, mentionablesIn(draft)).problem ?? undefined,
    description: over(draft.description, LIMITS.description, 'limit.description'),
    message: over(draft.message, LIMITS.inviteMessage, 'limit.message'),
    file: draft.file === null ? 'Choose an audio file' : undefined,
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined));
}

const filled = <Name extends string>(name: Name, text: string): { readonly [N in Name]?: string } =>
  trimmed(text) === '' ? {} : ({ [name]: trimmed(text) } as { readonly [N in Name]?: string });

/** Comment and download; write access is sent separately. */
const INVITED_LEVEL = 3;

/** The request body. Without a summary the server uses 'Initial Version'. */
export const submissionOf = (draft: NewProjectDraft): NewProjectSubmission => ({
  projectName: trimmed(draft.title),
  ...filled('tinySummary', tinySummaryOf(draft.tinySummary, mentionablesIn(draft)).sent),
  ...filled('description', draft.description),
  ...(draft.people.length === 0
    ? {}
    : { invitedUsers: draft.people.map(({ uid }) => `${uid}-${INVITED_LEVEL}`), writeAccess: draft.writeAccess, ...filled('message', draft.message) }),
});
