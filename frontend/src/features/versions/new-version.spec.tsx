import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../../testing/fill';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { meanwhile, pass, stopClock } from '../../testing/stopped-clock';
import { personCalled } from '../../testing/people-and-projects';
import { ana, project, versions } from '../../testing/versions';
import { renderFor } from '../../testing/with-session';
import { audioFileProblem } from '../../shared/files/audio-file';
import { mentionablesOf } from '../../shared/writing/mention-search';
import { chosenFileProblem, pickerHint } from './new-version-file';
import { NewVersionDialog } from './new-version-dialog';

const bob = personCalled('Bob');
const mix = (size = 5_000, name = 'mix.wav', type = 'audio/wav') => new File([new Uint8Array(size)], name, { type });
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({
    'POST /api/storage/uploads': () => ({
      status: 201,
      json: { uploadId: 'u1', versionId: 'v4', url: '/api/storage/put', method: 'PUT', headers: {}, expiresAt: 0 },
    }),
    'PUT /api/storage/put': () => ({ status: 204 }),
  });
});
afterEach(async () => {
  jest.useRealTimers();
  await server.close();
});

describe('a file for a new version', () => {
  const limits = { audioBytes: 48_000_000, pickerBytes: 31_457_280, trashDays: 30 };
  const sized = (size: number, name = 'mix.wav', type = 'audio/wav') => ({ name, type, size });
  test.each([
    [sized(5, 'notes.txt', 'text/plain'), 'Needs to be an audio file'],
    [sized(5, 'mix.aiff', 'audio/aiff'), 'AIFF files are currently not supported. :/'],
    [sized(0), "Cloud files aren't allowed. Download locally first"],
    [sized(31_457_281), 'Files must be smaller than 30 Mb'],
    [sized(48_000_000), 'Files must be smaller than 30 Mb'],
    [sized(31_457_280), null],
  ])('choosing %o shows %s', (file, sentence) => {
    expect(chosenFileProblem(file, limits)).toBe(sentence);
  });

  test('files of 48 MB and more are not sent', () => {
    expect(audioFileProblem(sized(48_000_000), limits)).toBe('Preview file must be smaller than 48 MB');
    expect(audioFileProblem(sized(47_999_999), limits)).toBeNull();
  });

  test('the hint and the message name what the operator set', () => {
    expect([limits, { ...limits, pickerBytes: 50_000_000 }, undefined].map(pickerHint)).toEqual(['audio, at most 30 MB', 'audio, at most 50 MB', 'audio']);
    expect(chosenFileProblem(sized(50_000_001), { ...limits, pickerBytes: 50_000_000 })).toBe('Files must be smaller than 50 Mb');
    expect(chosenFileProblem(sized(50_000_001), undefined)).toBeNull();
  });
});

async function openDialog(highestVersion = { majorUpdate: 2, minorUpdate: 1 }) {
  const added: string[] = [];
  renderFor(
    ana,
    <NewVersionDialog
      projectId="p1"
      purpose={{ kind: 'next' }}
      versions={versions}
      highestVersion={highestVersion}
      people={mentionablesOf([ana, bob], ana.uid)}
      onClose={() => added.push('closed')}
      onAdded={({ version: { _id } }) => added.push(_id)}
    />,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'New Version' }));
  const choose = (file: File) => userEvent.upload(dialog.getByLabelText('Audio file', { selector: 'input' }), file, { applyAccept: false });
  return { dialog, choose, added };
}

describe('the New Version form', () => {
  test('shows the next number for minor and major updates', async () => {
    const { dialog } = await openDialog();
    expect(dialog.getByRole('status')).toHaveTextContent('2.1 becomes 2.2');
    await userEvent.click(dialog.getByRole('radio', { name: 'Major' }));
    expect(dialog.getByRole('status')).toHaveTextContent('2.1 becomes 3.0');
  });

  test('never offers the number of a removed version', async () => {
    const { dialog } = await openDialog({ majorUpdate: 2, minorUpdate: 4 });
    expect(dialog.getByRole('status')).toHaveTextContent('2.1 becomes 2.5');
  });

  test('mentions members by their usernames, which count as sent', async () => {
    const { dialog, choose, added } = await openDialog();
    const summary = dialog.getByLabelText('Tiny summary');
    await userEvent.type(summary, '@bo');
    await userEvent.keyboard('{Enter}');
    expect(summary).toHaveValue(`@${bob.username} `);
    await userEvent.type(summary, 'your bass is up, far more than before{Enter}');
    expect(dialog.getAllByRole('alert')[0]).toHaveTextContent('Summaries have at most 45 characters; each mention counts as 13 more');
    await userEvent.clear(summary);
    await userEvent.type(summary, `@${bob.username} bass up`);
    await choose(mix());
    server.answer({ 'POST /api/media': () => ({ status: 201, json: { version: { ...versions[0], _id: 'v4' }, updatedProject: project } }) });
    await userEvent.type(summary, '{Enter}');
    await waitFor(() => expect(added).toEqual(['v4']));
    expect(server.requests.at(-1)?.body).toMatchObject({ submission: { tinySummary: `%MENTION_${bob.username}_END% bass up` } });
  });

  test('sends no file that is over the quota, and no version that is too many', async () => {
    const quota = { bytes: { used: 19_999_999_000, limit: 20_000_000_000 }, projects: { used: 1, limit: 1_000 }, versionsPerProject: 3 };
    server.answer({ 'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null, quota } }) });
    const { dialog, choose } = await openDialog();
    expect(await dialog.findByText('A project can have at most 3 versions.')).toBeInTheDocument();
    await choose(mix());
    expect(dialog.getByText('Your files can take up at most 20 GB.')).toBeInTheDocument();
    await fill(dialog.getByLabelText('Tiny summary'), 'More bass');
    await userEvent.click(dialog.getByRole('button', { name: 'Upload' }));
    expect((await server.settledRequests()).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('accepts only audio files', async () => {
    const { dialog } = await openDialog();
    expect(dialog.getByLabelText('Audio file', { selector: 'input' })).toHaveAttribute('accept', 'audio/*,.mov,.3gp');
  });

  test('sends nothing without a summary and a file', async () => {
    const { dialog } = await openDialog();
    await userEvent.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(dialog.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['Describe what is new', 'Choose an audio file']);
    expect((await server.settledRequests()).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('uploads the file, then adds the version; a refusal keeps the input', async () => {
    const { dialog, choose, added } = await openDialog();
    await fill(dialog.getByLabelText('Tiny summary'), 'Vocal up');
    expect(dialog.getByText('8/45')).toBeInTheDocument();
    await choose(mix());
    server.answer({
      'POST /api/media': () => ({ status: 400, json: { code: 'upload.damaged', status: 400, detail: 'This file is damaged: it ends before its header says' } }),
    });
    await userEvent.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('This file is damaged: it ends before its header says');
    expect(dialog.getByLabelText('Tiny summary')).toHaveValue('Vocal up');

    server.answer({ 'POST /api/media': () => ({ status: 201, json: { version: { ...versions[0], _id: 'v4' }, updatedProject: project } }) });
    await userEvent.click(dialog.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(added).toEqual(['v4']));
    expect(server.requests.at(-1)?.body).toEqual({ submission: { projectId: 'p1', uploadId: 'u1', tinySummary: 'Vocal up', updateType: 'minor' } });
  });
});

describe('the New Version form, for a file that is refused,', () => {
  test('shows what is wrong with a file for 3 s', async () => {
    const { dialog } = await openDialog();
    stopClock();
    const input = dialog.getByLabelText('Audio file', { selector: 'input' });
    fireEvent.change(input, { target: { files: [mix(5, 'notes.txt', 'text/plain')] } });
    expect(dialog.getByRole('alert')).toHaveTextContent('Needs to be an audio file');
    pass(2_999);
    expect(dialog.getByRole('alert')).toHaveTextContent('Needs to be an audio file');
    pass(1);
    expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('shows what the server refuses for 3 s, and again after another try', async () => {
    const { dialog, choose } = await openDialog();
    await userEvent.type(dialog.getByLabelText('Tiny summary'), 'Vocal up');
    await choose(mix());
    const detail = 'AIFF files are currently not supported. :/';
    server.answer({ 'POST /api/media': () => ({ status: 400, json: { code: 'upload.aiff', status: 400, detail } }) });
    stopClock();
    for (const name of ['Upload', 'Retry']) {
      fireEvent.click(dialog.getByRole('button', { name }));
      await meanwhile(() => expect(dialog.getByRole('alert')).toHaveTextContent(detail));
      pass(2_999);
      expect(dialog.getByRole('alert')).toHaveTextContent(detail);
      pass(1);
      expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
    }
    expect(dialog.getByText('mix.wav')).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Retry' })).toBeEnabled();
  });
});
