import type { NewUploadAnswer, UploadPurpose } from '@roughmix/contracts/media/upload.api.js';
import type { NewProjectAnswer, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { VersionAddedAnswer, VersionAnswer, VersionsAnswer, VersionView } from '@roughmix/contracts/versions/version.view.js';
import type { CommentAddedAnswer, CommentReplyAnswer, ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import type { TodoAddedAnswer, TodoReplyAnswer, TodoView } from '@roughmix/contracts/todos/todo.view.js';
import type { RegionAddedAnswer, RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { Person } from './app.js';
import { type Answer, bodyOf } from './test-client.js';
import { sine, wav } from './wav.js';

const SECONDS = 2;

/** A WAV file of two seconds, 16 kB. */
export const smallWav = (frequency = 440): Uint8Array => wav({ channelData: [sine({ seconds: SECONDS, frequency, sampleRate: 4_000 })], sampleRate: 4_000 });

export interface UploadOptions {
  readonly projectId?: string;
  readonly purpose?: UploadPurpose;
  readonly filename?: string;
  readonly size?: number;
  readonly versionId?: string;
  readonly commentId?: string;
}

/** Announces an upload. */
export const announce = (
  who: Person,
  { purpose = 'version', filename = 'take 1.wav', size = 16_044, ...ids }: UploadOptions,
): Promise<Answer<NewUploadAnswer>> => who.post<NewUploadAnswer>('/api/storage/uploads', { purpose, filename, contentType: 'audio/wav', size, ...ids });

/** Uploads bytes to an announced upload. */
export const putBytes = (who: Person, { url, headers }: Pick<NewUploadAnswer, 'url' | 'headers'>, bytes: Uint8Array): Promise<Response> =>
  fetch(new URL(url, who.url), { method: 'PUT', headers, body: new Uint8Array(bytes) });

/** Announces a file and uploads it. */
export async function upload(who: Person, bytes: Uint8Array, options: UploadOptions): Promise<NewUploadAnswer> {
  const announced = bodyOf(await announce(who, { size: bytes.length, ...options }));
  const put = await putBytes(who, announced, bytes);
  if (!put.ok) throw new Error(`upload refused: ${await put.text()}`);
  return announced;
}

export interface ProjectOptions {
  readonly projectName?: string;
  readonly description?: string;
  /** '{uid}-{level}' */
  readonly viewers?: readonly string[];
  readonly collaborators?: readonly Person[];
  readonly isPublic?: boolean;
  readonly bytes?: Uint8Array;
  readonly filename?: string;
}

export interface CreatedProject {
  readonly projectId: string;
  readonly versionId: string;
  readonly project: ProjectView;
}

export const createProject = (owner: Person, submission: Readonly<Record<string, unknown>> = {}): Promise<Answer<NewProjectAnswer>> =>
  owner.post<NewProjectAnswer>('/api/projects/newProject', { submission: { projectName: 'Low tide', ...submission } });

/** Creates a project by the page's four steps, then adds its collaborators and sets its visibility. */
export async function aProjectWith(owner: Person, options: ProjectOptions = {}): Promise<CreatedProject> {
  const { bytes = smallWav(), filename, viewers = [], collaborators = [], isPublic = false, ...words } = options;
  const { newProject, versionId } = bodyOf(await createProject(owner, { ...words, invitedUsers: viewers }));
  const projectId = newProject._id;
  const { uploadId } = await upload(owner, bytes, { projectId, ...(filename === undefined ? {} : { filename }) });
  bodyOf(await owner.post('/api/media/newProject', { initialVersion: { projectId, versionId, uploadId } }));
  const { updatedProject } = bodyOf(await owner.put<VersionAnswer>(`/api/projects/${projectId}/newVersion`, { versionId }));
  if (collaborators.length > 0)
    bodyOf(
      await invite(
        owner,
        projectId,
        collaborators.map(({ uid }) => uid),
        true,
      ),
    );
  if (isPublic) bodyOf(await owner.put(`/api/projects/${projectId}`, { submission: { visibility: 'public' } }));
  return { projectId, versionId, project: updatedProject };
}

export const invite = (owner: Person, projectId: string, invitedUsers: readonly string[], writeAccess = false): Promise<Answer> =>
  owner.put(`/api/projects/${owner.uid}/inviteUsers/${projectId}`, { invitedUsers, writeAccess });

export const diff = (uid: string, access: 0 | 1 | 2 | 3, rest: { write?: boolean; removed?: true } = {}): object => ({
  uid,
  permissions: { comment: (access & 1) !== 0, download: (access & 2) !== 0 },
  write: false,
  ...rest,
});

export const editPermissions = (owner: Person, projectId: string, permissionDiffs: readonly object[]): Promise<Answer> =>
  owner.put(`/api/projects/${owner.uid}/editPermissions/${projectId}`, { permissionDiffs });

/** Opens a project's page: from then on, people who were added to it by others get e-mails about it. */
export const openPage = async (who: Person, projectId: string): Promise<void> => void bodyOf(await who.get(`/api/projects/${projectId}/visitor/${who.uid}`));

/** Waits until the analysis has finished. */
export async function analysed(who: Person, versionId: string): Promise<VersionView> {
  for (const until = Date.now() + 20_000; Date.now() < until;) {
    const [version] = bodyOf(await who.get<VersionsAnswer>(`/api/media/${versionId}`)).versions;
    if (version !== undefined && version.state !== 'analysing') return version;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the analysis did not finish');
}

interface VersionOptions {
  readonly updateType?: 'minor' | 'major';
  readonly bytes?: Uint8Array;
  readonly tinySummary?: string;
}

export async function addVersion(who: Person, projectId: string, options: VersionOptions = {}): Promise<VersionView> {
  const { bytes = smallWav(), updateType, tinySummary = 'Louder' } = options;
  const { uploadId } = await upload(who, bytes, { projectId });
  const submission = { projectId, uploadId, tinySummary, ...(updateType === undefined ? {} : { updateType }) };
  return bodyOf(await who.post<VersionAddedAnswer>('/api/media', { submission })).version as VersionView;
}

export async function comment(who: Person, projectId: string, submission: Readonly<Record<string, unknown>> = {}): Promise<ActiveComment> {
  const answer = await who.post<CommentAddedAnswer>('/api/comments', { projectId, submission: { content: 'Louder here', ...submission } });
  return bodyOf(answer).newComment as ActiveComment;
}

export async function reply(who: Person, projectId: string, to: string, content = 'Yes'): Promise<ActiveComment> {
  return bodyOf(await who.post<CommentReplyAnswer>(`/api/comments/${to}/reply`, { projectId, submission: { content } })).newComment as ActiveComment;
}

export async function todo(who: Person, projectId: string, submission: Readonly<Record<string, unknown>> = {}): Promise<TodoView> {
  const answer = await who.post<TodoAddedAnswer>('/api/todos', { projectId, submission: { content: 'Tune the snare', ...submission } });
  return bodyOf(answer).newTodo as TodoView;
}

export async function todoReply(who: Person, projectId: string, to: string, submission: Readonly<Record<string, unknown>> = {}): Promise<TodoView> {
  const answer = await who.post<TodoReplyAnswer>(`/api/todos/${to}`, { projectId, submission: { content: 'On it', ...submission } });
  return bodyOf(answer).newTodo as TodoView;
}

export async function region(who: Person, { projectId, versionId }: CreatedProject, submission: Readonly<Record<string, unknown>> = {}): Promise<RegionView> {
  const answer = await who.post<RegionAddedAnswer>('/api/regions', { projectId, submission: { versionId, start: 0.5, end: 1, ...submission } });
  return bodyOf(answer).newRegion as RegionView;
}
