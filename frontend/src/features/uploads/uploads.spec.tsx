import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../../testing/fill';
import { openPage } from '../../testing/open-page';
import { projectCalled, selfCalled } from '../../testing/people-and-projects';
import { type Answer, startStubServer, type StubServer } from '../../testing/stub-server';

const ana = selfCalled('Ana');
const harbour = projectCalled('Harbour', ana);
let server: StubServer;
let answerPut: (answer: Answer) => void;

beforeEach(async () => {
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }),
    'GET /api/projects/ana': () => ({ json: { projects: [] } }),
    'POST /api/projects/newProject': () => ({ status: 201, json: { newProject: harbour, versionId: 'v1' } }),
    'POST /api/storage/uploads': () => ({
      status: 201,
      json: { uploadId: 'u1', versionId: 'v1', url: '/api/storage/put', method: 'PUT', headers: {}, expiresAt: 0 },
    }),
    'PUT /api/storage/put': () => new Promise<Answer>((resolve) => (answerPut = resolve)),
    'POST /api/media/newProject': () => ({ status: 201, json: { version: harbour.currentVersion, updatedProject: harbour } }),
    'PUT /api/projects/:id/newVersion': () => ({ json: { version: harbour.currentVersion, updatedProject: harbour } }),
    'POST /api/auth/logout': () => ({ status: 204 }),
  });
});
afterEach(() => server.close());

/** Starts an upload, then leaves the page during it. */
async function leaveDuringUpload() {
  const page = openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: 'Add Project' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New Project' }));
  await fill(dialog.getByLabelText('Title'), 'Harbour');
  await userEvent.upload(dialog.getByLabelText('Audio file', { selector: 'input' }), new File([new Uint8Array(5_000)], 'mix.wav', { type: 'audio/wav' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Create Project' }));
  await waitFor(() => expect(server.requests.at(-1)?.path).toBe('/api/storage/put'));
  expect(screen.queryByRole('region', { name: 'Uploads' })).not.toBeInTheDocument();
  await act(() => page.router.navigate('/projects/nothing'));
  return { page, uploads: within(await screen.findByRole('region', { name: 'Uploads' })) };
}
const commands = () => server.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const closing = () => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

test('an upload goes on when its page is left, and ends with a link to what was uploaded', async () => {
  const { page, uploads } = await leaveDuringUpload();
  expect(uploads.getByRole('progressbar', { name: 'Uploading mix.wav' })).toBeInTheDocument();
  expect(closing()).toBe(true);

  answerPut({ status: 204 });
  await userEvent.click(await uploads.findByRole('link', { name: 'Open Harbour' }));
  expect(page.address()).toBe('/projects/harbour');
  expect(commands().slice(-2)).toEqual(['POST /api/media/newProject', 'PUT /api/projects/harbour/newVersion']);
  expect(screen.queryByRole('region', { name: 'Uploads' })).not.toBeInTheDocument();
  expect(closing()).toBe(false);
});

test('it can be cancelled there', async () => {
  const { uploads } = await leaveDuringUpload();
  await userEvent.click(uploads.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('region', { name: 'Uploads' })).not.toBeInTheDocument();
  answerPut({ status: 204 });
  await server.settledRequests();
  expect(commands().at(-1)).toBe('PUT /api/storage/put');
  expect(closing()).toBe(false);
});

test('a failed one says why, and continues with Retry where it stopped', async () => {
  const { uploads } = await leaveDuringUpload();
  answerPut({ status: 413, bytes: new Uint8Array(3), headers: { 'Content-Type': 'text/html' } });
  expect(await uploads.findByRole('alert')).toHaveTextContent('A proxy between you and Roughmix does not accept files of this size.');

  server.answer({ 'PUT /api/storage/put': () => ({ status: 204 }) });
  await userEvent.click(uploads.getByRole('button', { name: 'Retry' }));
  await userEvent.click(await uploads.findByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('region', { name: 'Uploads' })).not.toBeInTheDocument();
  expect(commands().filter((line) => line === 'POST /api/projects/newProject')).toHaveLength(1);
});

test('it ends with the session', async () => {
  await leaveDuringUpload();
  await userEvent.click(screen.getByRole('button', { name: 'Account menu of Ana' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
  await screen.findByRole('heading', { name: 'Log In' });
  answerPut({ status: 204 });
  await server.settledRequests();
  expect(commands().at(-1)).toBe('POST /api/auth/logout');
  expect(closing()).toBe(false);
});
