import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { answeringServer, type AnsweringServer } from '../../testing/answering-server';
import { projectCalled, selfCalled } from '../../testing/people-and-projects';
import { renderFor } from '../../testing/with-session';
import { chosenFileProblem, submittedFileProblem } from './new-version-file';
import { NewVersionDialog } from './new-version-dialog';
import { RemoveVersionDialog } from './remove-version-dialog';
import { useHeardVersion } from './use-heard-version';
import { VersionPanel } from './version-panel';

const ana = selfCalled('Ana');
const project = projectCalled('P1', ana);
const version = (_id: string, majorUpdate: number, minorUpdate: number, changes: Partial<VersionView> = {}): VersionView[] =>
  project.versions.map((one) => ({ ...one, _id, majorUpdate, minorUpdate, ...changes }));
const versions = [...version('v1', 1, 0), ...version('v2', 2, 0), ...version('v3', 2, 1)];
const owner = { uid: 'ana', role: 'Owner', access: null, may: { comment: true, download: true, write: true, owner: true } } as const;
const mix = (size = 5_000, name = 'mix.wav', type = 'audio/wav') => new File([new Uint8Array(size)], name, { type });
let server: AnsweringServer;

beforeEach(async () => {
  server = await answeringServer({
    'POST /api/storage/uploads': () => ({
      status: 201,
      json: { uploadId: 'u1', versionId: 'v4', url: '/api/storage/put', method: 'PUT', headers: {}, expiresAt: 0 },
    }),
    'PUT /api/storage/put': () => ({ status: 204 }),
  });
});
afterEach(() => server.close());

describe('a file for a new version', () => {
  const sized = (size: number, name = 'mix.wav', type = 'audio/wav') => ({ name, type, size });
  test.each([
    [sized(5, 'notes.txt', 'text/plain'), 'Needs to be an audio file'],
    [sized(5, 'mix.aiff', 'audio/aiff'), 'AIFF files are currently not supported. :/'],
    [sized(0), "Cloud files aren't allowed. Download locally first"],
    [sized(31_457_281), 'Files must be smaller than 30 Mb'],
    [sized(48_000_000), 'Files must be smaller than 30 Mb'],
    [sized(31_457_280), null],
  ])('chosen: %o says %s', (file, sentence) => {
    expect(chosenFileProblem(file)).toBe(sentence);
  });

  test('sent: 48 MB are too many', () => {
    expect(submittedFileProblem(sized(48_000_000))).toBe('Preview file must be smaller than 48 MB');
    expect(submittedFileProblem(sized(47_999_999))).toBeNull();
  });
});

async function openDialog() {
  const added: string[] = [];
  renderFor(
    ana,
    <NewVersionDialog
      projectId="p1"
      purpose={{ kind: 'next' }}
      versions={versions}
      onClose={() => added.push('closed')}
      onAdded={({ version: { _id } }) => added.push(_id)}
    />,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'New Version' }));
  const choose = (file: File) => userEvent.upload(dialog.getByLabelText('Audio file', { selector: 'input' }), file, { applyAccept: false });
  return { dialog, choose, added };
}

describe('the New Version form', () => {
  test('shows the number that follows for minor and major', async () => {
    const { dialog } = await openDialog();
    expect(dialog.getByRole('status')).toHaveTextContent('2.1 becomes 2.2');
    await userEvent.click(dialog.getByRole('radio', { name: 'Major' }));
    expect(dialog.getByRole('status')).toHaveTextContent('2.1 becomes 3.0');
  });

  test('says what is wrong with a file, and takes it back after 3 s', async () => {
    const { dialog, choose } = await openDialog();
    await choose(mix(5, 'notes.txt', 'text/plain'));
    expect(dialog.getByRole('alert')).toHaveTextContent('Needs to be an audio file');
    await waitFor(() => expect(dialog.queryByRole('alert')).not.toBeInTheDocument());
  });

  test('offers audio alone', async () => {
    const { dialog } = await openDialog();
    expect(dialog.getByLabelText('Audio file', { selector: 'input' })).toHaveAttribute('accept', 'audio/*');
  });

  test('needs a summary and a file before anything is sent', async () => {
    const { dialog } = await openDialog();
    await userEvent.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(dialog.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['Describe what is new', 'Choose an audio file']);
    expect(await server.askedByNow()).toEqual([]);
  });

  test('uploads, then adds; a refusal keeps what was typed', async () => {
    const { dialog, choose, added } = await openDialog();
    await userEvent.type(dialog.getByLabelText('Tiny summary'), 'Vocal up');
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
    expect(server.asked.at(-1)?.body).toEqual({ submission: { projectId: 'p1', uploadId: 'u1', tinySummary: 'Vocal up', updateType: 'minor' } });
  });
});

describe('the version that is heard', () => {
  function Page({ list, named = null }: { readonly list: readonly VersionView[]; readonly named?: string | null }) {
    const [heard, hear] = useHeardVersion(list, named);
    const [shown] = useState('heard');
    return (
      <button type="button" onClick={() => hear('v2')}>
        {shown} {heard?._id ?? 'none'}
      </button>
    );
  }

  test('is the current one, or the one that the address names by number or id', () => {
    const { rerender } = renderFor(ana, <Page key="a" list={versions} />);
    expect(screen.getByRole('button')).toHaveTextContent('heard v3');
    rerender(<Page key="b" list={versions} named="1.0" />);
    expect(screen.getByRole('button')).toHaveTextContent('heard v1');
    rerender(<Page key="c" list={versions} named="v2" />);
    expect(screen.getByRole('button')).toHaveTextContent('heard v2');
  });

  test('stays when another one comes; when it goes, the one before it is heard, or the latest', async () => {
    const { rerender } = renderFor(ana, <Page list={versions.slice(0, 1)} />);
    await userEvent.click(screen.getByRole('button'));
    expect(screen.getByRole('button')).toHaveTextContent('heard v1');
    rerender(<Page list={versions} />);
    expect(screen.getByRole('button')).toHaveTextContent('heard v2');
    rerender(<Page list={versions.filter(({ _id }) => _id !== 'v2')} />);
    expect(screen.getByRole('button')).toHaveTextContent('heard v1');
    rerender(<Page list={versions.slice(2)} />);
    expect(screen.getByRole('button')).toHaveTextContent('heard v3');
    rerender(<Page list={[]} />);
    expect(screen.getByRole('button')).toHaveTextContent('heard none');
  });
});

describe('the version panel', () => {
  const panel = (view: readonly VersionView[], viewer: Parameters<typeof VersionPanel>[0]['viewer'] = owner) =>
    view.forEach((one) =>
      renderFor(ana, <VersionPanel version={one} versions={view} viewer={viewer} onReplace={() => undefined} onRemove={() => undefined} />),
    );

  test('gives loudness, true peak and format, and says that the original is played', () => {
    panel(version('v1', 1, 0, { analysis: { duration: 60, sampleRate: 48_000, channels: 2, codec: 'pcm_s24le', loudness: -11.9, truePeak: -0.8 } }));
    for (const words of ['−11.9 LUFS', '−0.8 dBTP', 'WAV 24 bit, 48 kHz, stereo', 'mix.wav', 'Playback uses the original file.'])
      expect(screen.getByText(words)).toBeInTheDocument();
  });

  test('says why a refused version does not play, and offers the ways out to who may take them', () => {
    const refused = version('v1', 1, 0, {
      state: 'rejected',
      rejection: { code: 'upload.damaged', detail: 'This file is damaged: it ends before its header says' },
    });
    panel(refused);
    expect(screen.getByRole('group', { name: 'This version cannot be played' })).toHaveTextContent(
      'Unable to load mediaThis file is damaged: it ends before its header says',
    );
    expect(screen.getByRole('button', { name: 'New file' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Remove' })).toBeInTheDocument();
  });

  test('offers nothing to a visitor', () => {
    const visitor = { uid: 'zoe', role: 'Visitor', access: null, may: { comment: false, download: false, write: false, owner: false } } as const;
    panel(version('v1', 1, 0, { state: 'rejected', rejection: { code: 'upload.damaged', detail: 'Damaged' } }), visitor);
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });
});

test('before a version is removed one is asked, and told what stays', async () => {
  const [one] = version('v2', 2, 0);
  if (one === undefined) throw new Error('there is a version');
  const told: string[] = [];
  server.answer({ 'POST /api/media/v2': () => ({ json: { updatedProject: project } }) });
  renderFor(ana, <RemoveVersionDialog version={one} onClose={() => told.push('closed')} onProject={({ _id }) => told.push(_id)} />);
  const question = within(await screen.findByRole('alertdialog', { name: 'Remove 2.0?' }));
  expect(question.getByText('Are you sure you want to remove this version from the project?')).toBeInTheDocument();
  expect(question.getByText('Comments/Todos from this version will still be visible.')).toBeInTheDocument();
  expect(await server.askedByNow()).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Remove version' }));
  await waitFor(() => expect(told).toEqual([project._id, 'closed']));
});
