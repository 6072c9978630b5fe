import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { NewProjectAnswer, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { VERSION_PATHS } from '@roughmix/contracts/versions/version.paths.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { VersionAnswer } from '@roughmix/contracts/versions/version.view.js';
import type { Page } from 'playwright-core';
import type { AudioFile } from './audio';
import { retryWhileReadModelsLag } from './retry-while-read-models-lag';
import type { Person } from './people';

/** Calls the API as the user of this page. @throws if the server refuses */
export async function callApi<Answer>(page: Page, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await retryWhileReadModelsLag(
    (headers) => page.request.fetch(path, { method, headers, ...(body === undefined ? {} : { data: body }) }),
    (response) => response.status(),
  );
  if (!answer.ok()) throw new Error(`${method} ${path} returned ${answer.status()}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

export interface ProjectInput {
  readonly title: string;
  readonly song: AudioFile;
  /** 0 listen, 1 comment, 2 download, 3 both. */
  readonly invited?: readonly { readonly person: Person; readonly level: 0 | 1 | 2 | 3 }[];
}

async function upload(page: Page, projectId: Id, { name, mimeType, buffer }: AudioFile): Promise<Id> {
  const { uploadId, url, headers } = await callApi<{ uploadId: Id; url: string; headers: Record<string, string> }>(page, 'POST', '/api/storage/uploads', {
    purpose: 'version',
    filename: name,
    contentType: mimeType,
    size: buffer.length,
    projectId,
  });
  const put = await page.request.put(url, { headers, data: buffer });
  if (put.status() !== 204) throw new Error(`the upload returned ${put.status()}: ${await put.text()}`);
  return uploadId;
}

/** Creates a project with its first version through the API, as a fixture. */
export async function createProject(page: Page, { title, song, invited = [] }: ProjectInput): Promise<ProjectView> {
  const submission = { projectName: title, invitedUsers: invited.map(({ person, level }) => `${person.uid}-${level}`), writeAccess: false };
  const { newProject } = await callApi<NewProjectAnswer>(page, 'POST', PROJECT_PATHS.create, { submission });
  const projectId = newProject._id;
  const uploadId = await upload(page, projectId, song);
  const first = { projectId, uploadId, tinySummary: 'Initial Version' };
  return (await callApi<VersionAnswer>(page, 'POST', VERSION_PATHS.first, { initialVersion: first })).updatedProject;
}

/** Adds a version to a project through the API. Returns the ids of the project's versions, oldest first. */
export async function addVersion(page: Page, projectId: Id, song: AudioFile): Promise<readonly Id[]> {
  const submission = { projectId, uploadId: await upload(page, projectId, song), tinySummary: song.name, updateType: 'minor' };
  return (await callApi<VersionAnswer>(page, 'POST', VERSION_PATHS.add, { submission })).updatedProject.versionIds;
}

/** Calls the API from inside the page, as a user could in its console. Returns the status and the problem's detail. */
export function fetchFromPage(page: Page, method: string, path: string, body: unknown): Promise<{ readonly status: number; readonly detail: string }> {
  return page.evaluate(
    async ({ method: verb, path: address, body: content }) => {
      const request: RequestInit = { method: verb, headers: { 'content-type': 'application/json' }, body: JSON.stringify(content) };
      const answer = await fetch(address, request);
      const { detail = '' } = (await answer.json()) as { detail?: string };
      return { status: answer.status, detail };
    },
    { method, path, body },
  );
}
