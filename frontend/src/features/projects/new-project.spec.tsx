import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../../testing/fill';
import { startStubServer, type StubServer, type Routes } from '../../testing/stub-server';
import { meanwhile, pass, stopClock } from '../../testing/stopped-clock';
import { openPage } from '../../testing/open-page';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';

const ana = selfCalled('Ana');
const harbour = projectCalled('Harbour', ana);
const mix = () => new File([new Uint8Array(5_000)], 'mix.wav', { type: 'audio/wav' });
const away = {
  status: 503,
  json: { code: 'store.away', status: 503, detail: 'Roughmix cannot reach its data right now. Please try again soon.' },
  headers: { 'Retry-After': '0' },
};
let server: StubServer;

const fourSteps: Routes = {
  'POST /api/projects/newProject': () => ({ status: 201, json: { newProject: harbour, versionId: 'v1' } }),
  'POST /api/storage/uploads': () => ({
    status: 201,
    json: { uploadId: `u${uploads()}`, versionId: 'v1', url: '/api/storage/put', method: 'PUT', headers: { 'X-Upload': 'sealed' }, expiresAt: 0 },
  }),
  'PUT /api/storage/put': () => ({ status: 204 }),
  'POST /api/media/newProject': () => ({ status: 201, json: { version: harbour.currentVersion, updatedProject: harbour } }),
  'PUT /api/projects/:id/newVersion': () => ({ json: { version: harbour.currentVersion, updatedProject: harbour } }),
};
const uploads = () => server.requests.filter(({ path }) => path === '/api/storage/uploads').length;

beforeEach(async () => {
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }),
    'GET /api/projects/ana': () => ({ json: { projects: [] } }),
    'GET /api/users/search': () => ({ json: { users: [personCalled('Bob'), personCalled('Bo')] } }),
    ...fourSteps,
  });
});
afterEach(async () => {
  jest.useRealTimers();
  await server.close();
});

/** The commands of the four steps, without queries. */
const steps = () => server.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const requestsTo = (step: string) => server.requests.filter(({ method, path }) => `${method} ${path}` === step);
const keysOf = (step: string) => new Set(requestsTo(step).map(({ headers }) => headers['idempotency-key']));

async function openDialog() {
  const page = openPage('/projects');
  await userEvent.click(await screen.findByRole('button', { name: 'Add Project' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New Project' }));
  const choose = (file: File) => userEvent.upload(dialog.getByLabelText('Audio file', { selector: 'input' }), file, { applyAccept: false });
  return { page, dialog, choose };
}

test('a user who may create no more projects sees why, and nothing is sent', async () => {
  const quota = { bytes: { used: 0, limit: 20_000_000_000 }, projects: { used: 1_000, limit: 1_000 }, versionsPerProject: 200 };
  server.answer({ 'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null, quota } }) });
  const { dialog, choose } = await openDialog();
  expect(await dialog.findByText('You can have at most 1,000 projects.')).toBeInTheDocument();
  await fill(dialog.getByLabelText('Title'), 'Harbour');
  await choose(mix());
  await userEvent.click(dialog.getByRole('button', { name: 'Create Project' }));
  await server.settledRequests();
  expect(steps()).toEqual([]);
});

test('the four steps run in order with a signed upload, and the project opens', async () => {
  const { page, dialog, choose } = await openDialog();
  await userEvent.type(dialog.getByLabelText('Title'), 'Harbour');
  await userEvent.type(dialog.getByLabelText('Tiny summary'), 'Rain under the intro');
  expect(dialog.getByText('20/45')).toBeInTheDocument();
  await choose(mix());
  await userEvent.click(dialog.getByRole('button', { name: 'Create Project' }));

  await waitFor(() => expect(page.address()).toBe('/projects/harbour'));
  expect(steps()).toEqual([
    'POST /api/projects/newProject',
    'POST /api/storage/uploads',
    'PUT /api/storage/put',
    'POST /api/media/newProject',
    'PUT /api/projects/harbour/newVersion',
  ]);
  expect(requestsTo('POST /api/projects/newProject')[0]?.body).toEqual({ submission: { projectName: 'Harbour', tinySummary: 'Rain under the intro' } });
  expect(requestsTo('POST /api/storage/uploads')[0]?.body).toEqual({
    purpose: 'version',
    projectId: 'harbour',
    filename: 'mix.wav',
    contentType: 'audio/wav',
    size: 5_000,
  });
  expect(requestsTo('PUT /api/storage/put')[0]?.headers['x-upload']).toBe('sealed');
  expect(requestsTo('PUT /api/storage/put')[0]?.text).toHaveLength(5_000);
  expect(requestsTo('POST /api/media/newProject')[0]?.body).toEqual({
    initialVersion: { projectId: 'harbour', uploadId: 'u1', tinySummary: 'Rain under the intro' },
  });
  expect(requestsTo('PUT /api/projects/harbour/newVersion')[0]?.body).toEqual({ versionId: 'harbour_v1', versionUrl: '/api/media/harbour_v1/audio' });
});

test('the picker accepts only audio files', async () => {
  const { dialog } = await openDialog();
  expect(dialog.getByLabelText('Audio file', { selector: 'input' })).toHaveAttribute('accept', 'audio/*,.mov,.3gp');
});

test('while it works it shows the current step, and the button is busy', async () => {
  const goOn: (() => void)[] = [];
  const held: Routes = {};
  for (const [step, answer] of Object.entries(fourSteps)) {
    held[step] = async (...question) => {
      await new Promise<void>((resolve) => goOn.push(resolve));
      return answer(...question);
    };
  }
  server.answer(held);
  const { page, dialog, choose } = await openDialog();
  await fill(dialog.getByLabelText('Title'), 'Harbour');
  await choose(mix());
  await userEvent.click(dialog.getByRole('button', { name: 'Create Project' }));
  for (const words of ['Creating the project', 'Uploading', 'Uploading', 'Reading the file', 'Opening the project']) {
    await waitFor(() => expect(goOn).toHaveLength(1));
    await waitFor(() => expect(dialog.getByRole('status')).toHaveTextContent(words));
    expect(dialog.getByRole('button', { name: 'Creating' })).toHaveAttribute('aria-busy', 'true');
    goOn.shift()?.();
  }
  await waitFor(() => expect(page.address()).toBe('/projects/harbour'));
});

test('nothing is sent without a title and a file, or with a summary that is too long', async () => {
  const { dialog } = await openDialog();
  await fill(dialog.getByLabelText('Tiny summary'), 'x'.repeat(46));
  await userEvent.click(dialog.getByRole('button', { name: 'Create Project' }));

  expect(dialog.getByText('Enter a title')).toBeInTheDocument();
  expect(dialog.getByLabelText('Title')).toHaveFocus();
  expect(dialog.getByText('Summaries have at most 45 characters')).toBeInTheDocument();
  expect(dialog.getByText('Choose an audio file')).toBeInTheDocument();
  expect(dialog.getByLabelText('Project type')).toBeDisabled();
  await server.settledRequests();
  expect(steps()).toEqual([]);
});

test.each([
  ['notes.txt', 'text/plain', 'Needs to be an audio file'],
  ['memo.aiff', 'audio/aiff', 'AIFF files are currently not supported. :/'],
])('%s is refused, and the previous file is kept', async (name, type, sentence) => {
  const { dialog, choose } = await openDialog();
  await choose(mix());
  await choose(new File(['x'], name, { type }));
  expect(dialog.getByText(sentence)).toBeInTheDocument();
  expect(dialog.getByText('mix.wav')).toBeInTheDocument();
});

test('people are found by name and invited with the first version', async () => {
  const { page, dialog, choose } = await openDialog();
  await fill(dialog.getByLabelText('Title'), 'Harbour');
  await userEvent.type(dialog.getByRole('combobox', { name: 'Invite people' }), 'bo');
  await dialog.findByRole('option', { name: /Bob/, selected: true });
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await userEvent.type(dialog.getByRole('combobox', { name: 'Invite people' }), 'bo');
  await userEvent.click(await dialog.findByRole('option', { name: /Bob/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Remove Bo' }));
  await userEvent.click(dialog.getByRole('switch', { name: 'Write access' }));
  await fill(dialog.getByLabelText('Message'), 'Have a listen');
  await choose(mix());
  await userEvent.click(dialog.getByRole('button', { name: 'Create Project' }));

  await waitFor(() => expect(page.address()).toBe('/projects/harbour'));
  expect(requestsTo('POST /api/projects/newProject')[0]?.body).toEqual({
    submission: { projectName: 'Harbour', invitedUsers: ['bob-3'], writeAccess: true, message: 'Have a listen' },
  });
});

test('the summary can mention the people to invite, who count as sent', async () => {
  const { page, dialog, choose } = await openDialog();
  fireEvent.change(dialog.getByLabelText('Title'), { target: { value: 'Harbour' } });
  await userEvent.type(dialog.getByRole('combobox', { name: 'Invite people' }), 'bo');
  await userEvent.click(await dialog.findByRole('option', { name: /Bob/ }));
  const summary = dialog.getByLabelText('Tiny summary');
  await userEvent.type(summary, '@');
  expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['BobBob', 'Everyone']);
  await userEvent.type(summary, 'b{Enter}');
  await userEvent.paste('up, far more than it was before');
  expect(summary).toHaveValue('@Bob up, far more than it was before');
  await choose(mix());
  await userEvent.click(dialog.getByRole('button', { name: 'Create Project' }));
  expect(dialog.getByRole('alert')).toHaveTextContent('Summaries have at most 45 characters; each mention counts as 13 more');
  await userEvent.clear(summary);
  await userEvent.paste('@Bob up, @Bo down');
  await userEvent.click(dialog.getByRole('button', { name: 'Create Project' }));

  await waitFor(() => expect(page.address()).toBe('/projects/harbour'));
  const tinySummary = '%MENTION_Bob_END% up, @Bo down';
  expect(requestsTo('POST /api/projects/newProject')[0]?.body).toMatchObject({ submission: { tinySummary } });
  expect(requestsTo('POST /api/media/newProject')[0]?.body).toMatchObject({ initialVersion: { tinySummary } });
});

test.each([
  ['that is not audio', new File(['x'], 'notes.txt', { type: 'text/plain' }), 'Needs to be an audio file'],
  ['that the server refuses', mix(), 'This file is damaged: it ends before its header says'],
])('what is wrong with a file %s is shown for 3 s', async (_what, file, sentence) => {
  const detail = 'This file is damaged: it ends before its header says';
  server.answer({ 'POST /api/media/newProject': () => ({ status: 400, json: { code: 'upload.damaged', status: 400, detail } }) });
  const { dialog } = await openDialog();
  await fill(dialog.getByLabelText('Title'), 'Harbour');
  stopClock();
  fireEvent.change(dialog.getByLabelText('Audio file', { selector: 'input' }), { target: { files: [file] } });
  if (sentence === detail) fireEvent.click(dialog.getByRole('button', { name: 'Create Project' }));
  await meanwhile(() => expect(dialog.getByText(sentence)).toBeInTheDocument());
  pass(2_999);
  expect(dialog.getByText(sentence)).toBeInTheDocument();
  pass(1);
  expect(dialog.queryByText(sentence)).not.toBeInTheDocument();
  expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
});

test('a retry continues the same project with the same keys, and sends no file twice', async () => {
  server.answer({ 'POST /api/media/newProject': () => away });
  const { page, dialog, choose } = await openDialog();
  await fill(dialog.getByLabelText('Title'), 'Harbour');
  await choose(mix());
  await userEvent.click(dialog.getByRole('button', { name: 'Create Project' }));
  const retry = await dialog.findByRole('button', { name: 'Retry' });
  expect(dialog.getByRole('alert')).toHaveTextContent('Roughmix cannot reach its data right now. Please try again soon.');

  server.answer(fourSteps);
  await userEvent.click(retry);
  await waitFor(() => expect(page.address()).toBe('/projects/harbour'));
  expect(requestsTo('POST /api/projects/newProject')).toHaveLength(1);
  expect(requestsTo('PUT /api/storage/put')).toHaveLength(1);
  expect(keysOf('POST /api/media/newProject').size).toBe(1);
});

test('a refused file is reported at the file field, and another file goes to the same project', async () => {
  server.answer({
    'POST /api/media/newProject': () => ({
      status: 400,
      json: { code: 'upload.damaged', status: 400, detail: 'This file is damaged: it ends before its header says' },
    }),
  });
  const { page, dialog, choose } = await openDialog();
  await fill(dialog.getByLabelText('Title'), 'Harbour');
  await choose(mix());
  await userEvent.click(dialog.getByRole('button', { name: 'Create Project' }));
  expect(await dialog.findByText('This file is damaged: it ends before its header says')).toBeInTheDocument();

  server.answer(fourSteps);
  await choose(new File([new Uint8Array(9)], 'mended.wav', { type: 'audio/wav' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(page.address()).toBe('/projects/harbour'));
  expect(requestsTo('POST /api/projects/newProject')).toHaveLength(1);
  expect(requestsTo('POST /api/media/newProject').map(({ body }) => body)).toEqual([
    { initialVersion: { projectId: 'harbour', uploadId: 'u1' } },
    { initialVersion: { projectId: 'harbour', uploadId: 'u2' } },
  ]);
});

test('an unfinished project can be removed', async () => {
  server.answer({ 'POST /api/storage/uploads': () => away, 'POST /api/projects/removeProject/harbour': () => ({ json: { removed: 'harbour' } }) });
  const { dialog, choose } = await openDialog();
  await fill(dialog.getByLabelText('Title'), 'Harbour');
  await choose(mix());
  await userEvent.click(dialog.getByRole('button', { name: 'Create Project' }));
  await userEvent.click(await dialog.findByRole('button', { name: 'Discard project' }));

  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(steps().at(-1)).toBe('POST /api/projects/removeProject/harbour');
});
