import { BASIC_PROBLEMS } from './basic-problems.js';

/** Every code that a refusal can carry, with its HTTP status and the sentence shown to the user. */
export const PROBLEMS = {
  'auth.required': [401, 'Please sign in.'],
  'auth.failed': [401, 'User or Password not found..'],
  'admin.unauthorized': [401, 'Unauthorized'],
  'actor.mismatch': [403, 'This address belongs to another user.'],
  'request.cross-origin': [403, 'This request came from another site.'],
  'request.invalid': [400, 'This request is not valid.'],
  'request.unknown-field': [400, 'This request has an unknown field.'],
  'request.broken-json': [400, 'This request is not valid JSON.'],
  'request.too-large': [413, 'This request is too large.'],
  'request.media-type': [415, 'This content type is not supported.'],
  'request.malformed': [400, 'This request is malformed.'],
  'request.timeout': [408, 'This request took too long to arrive.'],
  'request.headers-too-large': [431, 'The address or the headers of this request are too long.'],
  'ids.too-many': [400, 'At most 100 items can be requested at once.'],
  'route.not-found': [404, 'There is nothing at this address.'],
  'message.unknown': [404, 'This message is unknown.'],
  throttled: [429, 'Too many attempts. Please wait a while.'],
  'command.key-reused': [422, 'This Idempotency-Key was already used for another request.'],
  'range.invalid': [416, 'This part of the file does not exist.'],
  'project.not-found': [404, 'There is no such project, or you have no access to it.'],
  'project.not-allowed': [403, 'You may not do this in this project.'],
  'project.owner-stays': [403, 'The owner cannot leave the project.'],
  'project.has-owner': [409, 'There is already an owner.'],
  'project.has-version': [409, 'This project already has its first version.'],
  'version.not-found': [404, 'There is no such version, or you have no access to it.'],
  'version.no-download': [403, 'You may not download from this project.'],
  'version.not-rejected': [409, 'Only a rejected version can be replaced.'],
  'region.not-found': [404, 'There is no such region, or you have no access to it.'],
  'region.not-yours': [403, 'Cannot edit region: insufficient permissions'],
  'region.out-of-bounds': [400, 'This region is outside the track.'],
  'comment.not-found': [404, 'There is no such comment, or you have no access to it.'],
  'comment.not-yours': [403, 'Only the author can change a comment.'],
  'comment.own': [403, 'You cannot rate your own comment.'],
  'comment.empty': [400, 'Write something first.'],
  'comment.not-text': [409, 'Only text can be edited.'],
  'todo.not-found': [404, 'There is no such todo here for you.'],
  'todo.not-yours': [403, 'Only its author can change a todo.'],
  'todo.not-allowed': [403, 'You may not complete this todo.'],
  'todo.empty': [400, 'Write something first.'],
  'todo.completed': [409, 'This todo is completed and cannot be edited.'],
  'reminder.no-due-date': [400, 'Set a due date first.'],
  'reminder.past': [400, 'This reminder would be in the past.'],
  'reminder.too-far': [400, 'Choose a date before the year 10000.'],
  'reminder.too-many': [409, 'Too many reminders are waiting in this project.'],
  'collection.not-found': [404, 'There is no such collection here for you.'],
  'collection.too-many': [409, 'You can have at most 200 collections.'],
  'notification.not-found': [404, 'There is no such notification here for you.'],
  'push.endpoint-refused': [400, 'This is not a valid push endpoint.'],
  'note.conflict': [409, 'Someone else changed the same part.'],
  'stamp.out-of-bounds': [400, 'This timestamp is outside the track.'],
  'upload.not-found': [404, 'There is no such upload, or you have no access to it.'],
  'upload.not-audio': [400, 'Needs to be an audio file'],
  'upload.not-image': [400, 'Needs to be a png, jpeg, gif or webp image'],
  'upload.image-too-large': [400, 'Images can be at most 10 MB'],
  'upload.aiff': [400, 'AIFF files are currently not supported. :/'],
  'upload.empty': [400, "Cloud files aren't allowed. Download locally first"],
  'upload.too-large': [400, 'Preview file must be smaller than 48 MB'],
  'upload.damaged': [400, 'This file is damaged: it ends before its header says'],
  'upload.too-long': [400, 'Audio can be at most 2 hours long.'],
  'upload.no-length': [400, 'This file does not say how long it is. Please export it again.'],
  'upload.no-copy': [400, 'Browsers cannot play this format. Please export it as WAV, FLAC or MP3.'],
  'upload.lost': [410, 'The file of this version was lost. Please upload it again.'],
  'upload.used': [409, 'This upload was already used.'],
  'upload.busy': [503, 'Too many uploads are waiting. Please try again in a moment.'],
  'invite.nobody': [400, 'Select user(s) first.'],
  'invite.unknown-user': [400, 'One of these people cannot be invited.'],
  'permissions.not-a-member': [400, 'One of these people is not a member of this project.'],
  'connection.self': [400, 'You cannot follow yourself.'],
  'block.self': [400, 'You cannot block yourself.'],
  'user.not-found': [404, 'There is no such user.'],
  'user.email-taken': [409, 'The email address is already in use by another account.'],
  'user.username-taken': [409, 'This username is taken.'],
  'user.not-removed': [404, 'Unable to remove user data'],
  'username.invalid': [400, 'Invalid Characters in new username'],
  'profile.completed': [409, 'This profile is already complete.'],
  'photo.required': [400, 'Profile Picture required.'],
  'photo.crop': [400, 'This crop does not fit the image.'],
  'session.not-found': [404, 'There is no such session here for you.'],
  'staff.required': [403, 'This is for staff only.'],
  'inquiry.too-many': [429, 'Too many requests and messages are waiting for an answer. Please try again another day.'],
  'inviteRequest.not-found': [404, 'There is no such inviteRequest here for you.'],
  'inviteRequest.accepted': [409, 'This request was already accepted.'],
  'invite.spent': [410, 'This link was used or is too old.'],
  'mail.unknown-token': [404, 'This link is not valid.'],
  'email.invalid': [400, 'The email address is badly formatted.'],
  'name.space': [400, 'Invalid Characters in first/last name'],
  'name.reserved': [400, 'This name is reserved.'],
  'password.too-short': [400, 'Passwords need at least 8 characters'],
  'password.too-long': [400, 'Passwords have at most 128 characters'],
  'password.too-common': [400, 'This password is too common'],
  'password.space': [400, 'Invalid Characters in password'],
  'password.unchanged': [400, 'Choose a new password.'],
  'password.incorrect': [403, 'Supplied password is incorrect'],
  'reset.no-user': [404, 'No user found with that email address'],
  'reset.spent': [410, 'This link was used or is too old.'],
  'limit.projectName': [400, 'Titles have at most 120 characters'],
  'limit.tinySummary': [400, 'Summaries have at most 45 characters'],
  'limit.description': [400, 'Descriptions have at most 2000 characters'],
  'limit.content': [400, 'Comments have at most 10000 characters'],
  'limit.todo': [400, 'Todos have at most 10000 characters'],
  'limit.note': [400, 'Notes have at most 60000 characters'],
  'limit.title': [400, 'Collection titles have at most 80 characters'],
  'limit.message': [400, 'Messages have at most 500 characters'],
  'limit.label': [400, 'Labels have at most 60 characters'],
  'limit.info': [400, 'Profile texts have at most 2000 characters'],
  'limit.firstName': [400, 'Names have at most 50 characters'],
  'limit.lastName': [400, 'Names have at most 50 characters'],
  'limit.fullName': [400, 'Names have at most 101 characters'],
  'limit.username': [400, 'Usernames have at most 30 characters'],
  'limit.message_content': [400, 'Messages have at most 10000 characters'],
  'quota.bytes': [409, 'Your files can take up at most 20 GB.'],
  'quota.projects': [409, 'You can have at most 1,000 projects.'],
  'quota.versions': [409, 'A project can have at most 200 versions.'],
  'limit.append': [400, 'This change is too large.'],
  'projector.not-found': [404, 'There is no projector with this name.'],
  'reactor.not-found': [404, 'There is no reactor with this name.'],
  'publishing.off': [404, 'This program publishes no events: KAFKA_BROKERS is not set.'],
  'store.busy': [503, 'Someone else is changing this right now. Please try again.'],
  'stream.unreadable': [503, 'Part of this cannot be read right now, so it cannot be changed. Nothing is lost.'],
  'role.away': [503, 'No running process has the role for this, so nothing was started. Start one with the role projector or reactor, then try again.'],
  'role.busy': [503, 'Another process started this and has not finished it, or it failed there. See the status and the log of that process.'],
  'disk.full': [507, 'The server has run out of disk space. Reading still works.'],
  ...BASIC_PROBLEMS,
} as const satisfies Record<string, readonly [status: number, detail: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The HTTP status of a code. */
export const statusOf = (code: ProblemCode): number => PROBLEMS[code][0];
/** The user-facing sentence of a code. */
export const detailOf = (code: ProblemCode): string => PROBLEMS[code][1];

const GB = 1_000_000_000;
const MB = 1_000_000;
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
function inBytes(bytes: number): string {
  if (bytes >= GB) return `${grouped.format(bytes / GB)} GB`;
  return bytes >= MB ? `${grouped.format(bytes / MB)} MB` : `${grouped.format(bytes)} bytes`;
}

const MEBIBYTE = 1_048_576;

/** A size in megabytes, for sentences that name the unit. Whole mebibytes are counted as such: 31,457,280 bytes are '30'. */
export const inMegabytes = (bytes: number): string => grouped.format(bytes / (bytes % MEBIBYTE === 0 ? MEBIBYTE : MB));

/** The sentence of a `limit.*`, `quota.*` or `upload.too-large` code with the limit that applies, where it can differ. */
export function detailWith(code: ProblemCode, limit: number | undefined): string {
  if (limit === undefined) return detailOf(code);
  if (code === 'upload.too-large') return detailOf(code).replace('48', inMegabytes(limit));
  if (code === 'quota.bytes') return detailOf(code).replace('20 GB', inBytes(limit));
  if (code.startsWith('quota.')) return detailOf(code).replace(/[\d,]+/, grouped.format(limit));
  return code.startsWith('limit.') ? detailOf(code).replace(/\d+/, String(limit)) : detailOf(code);
}

/** One invalid field of a body. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly detail: string;
}

/** What a `note.conflict` adds: both texts, so that the writer loses neither. */
export interface NoteConflict {
  readonly note: 'public' | 'private';
  /** The current text, and its hash. */
  readonly theirs: string;
  readonly hash: string;
  /** The text that the writer wanted; null if the hash that it is based on is unknown. */
  readonly yours: string | null;
}

/** The body of every refused request: `application/problem+json` (RFC 9457). */
export interface Problem extends Partial<NoteConflict> {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly instance?: string;
  readonly limit?: number;
  readonly field?: string;
  readonly errors?: readonly FieldProblem[];
}

/** What a refusal may add to its code. */
export interface ProblemExtras extends Partial<NoteConflict> {
  /** In place of the code's own sentence. */
  readonly detail?: string;
  readonly limit?: number;
  readonly field?: string;
  readonly errors?: readonly FieldProblem[];
  readonly instance?: string;
}
