import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { fill } from '../../testing/fill';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { meanwhile, pass, stopClock } from '../../testing/stopped-clock';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';
import { renderFor } from '../../testing/with-session';
import { audioFileProblem } from '../../shared/files/audio-file';
import { mentionablesOf } from '../../shared/writing/mention-search';
import { chosenFileProblem, pickerHint } from './new-version-file';
import { NewVersionDialog } from './new-version-dialog';
import { RemoveVersionDialog } from './remove-version-dialog';
import { useVersionSelection } from './use-version-selection';
import { VersionPanel } from './version-panel';
import { VersionSlots } from './version-slots';

const ana = selfCalled('Ana');
const project = projectCalled('P1', ana);
const version = (_id: string, majorUpdate: number, minorUpdate: number, changes: Partial<VersionView> = {}): VersionView[] =>
  project.versions.map((one) => ({ ...one, _id, majorUpdate, minorUpdate, ...changes }));
const versions = [...version('v1', 1, 0), ...version('v2', 2, 0), ...version('v3', 2, 1)];
const owner = { uid: 'ana', role: 'Owner', access: null, may: { comment: true, download: true, write: true, owner: true } } as const;
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

describe('the selected version', () => {
  function Page({ list, named = null }: { readonly list: readonly VersionView[]; readonly named?: string | null }) {
    const [selectedVersion, selectVersion] = useVersionSelection(list, named);
    const [shown] = useState('selected');
    return (
      <button type="button" onClick={() => selectVersion('v2')}>
        {shown} {selectedVersion?._id ?? 'none'}
      </button>
    );
  }

  test('is the latest one, or the one that the URL names by number or id', () => {
    const { rerender } = renderFor(ana, <Page key="a" list={versions} />);
    expect(screen.getByRole('button')).toHaveTextContent('selected v3');
    rerender(<Page key="b" list={versions} named="1.0" />);
    expect(screen.getByRole('button')).toHaveTextContent('selected v1');
    rerender(<Page key="c" list={versions} named="v2" />);
    expect(screen.getByRole('button')).toHaveTextContent('selected v2');
  });

  test('is the latest that can be played, or the latest if none can', () => {
    const rejected = versions.map((one) => ({ ...one, state: 'rejected' as const }));
    const { rerender } = renderFor(ana, <Page key="a" list={[...versions.slice(0, 2), ...rejected.slice(2)]} />);
    expect(screen.getByRole('button')).toHaveTextContent('selected v2');
    rerender(<Page key="b" list={rejected} />);
    expect(screen.getByRole('button')).toHaveTextContent('selected v3');
  });

  test('is kept when another is added; when it is removed, its predecessor is selected, or the latest', async () => {
    const { rerender } = renderFor(ana, <Page list={versions.slice(0, 1)} />);
    await userEvent.click(screen.getByRole('button'));
    expect(screen.getByRole('button')).toHaveTextContent('selected v1');
    rerender(<Page list={versions} />);
    expect(screen.getByRole('button')).toHaveTextContent('selected v2');
    rerender(<Page list={versions.filter(({ _id }) => _id !== 'v2')} />);
    expect(screen.getByRole('button')).toHaveTextContent('selected v1');
    rerender(<Page list={versions.slice(2)} />);
    expect(screen.getByRole('button')).toHaveTextContent('selected v3');
    rerender(<Page list={[]} />);
    expect(screen.getByRole('button')).toHaveTextContent('selected none');
  });
});

describe('the slots', () => {
  test('show which version is selected, which is playing, and which is loading', async () => {
    const chosen: string[] = [];
    const [, selected] = versions;
    if (selected === undefined) throw new Error('no version');
    renderFor(ana, <VersionSlots versions={versions} selectedVersion={selected} playingId="v1" loadingId="v2" onSelectVersion={(id) => chosen.push(id)} />);
    const slots = screen.getAllByRole('button');
    expect(slots.map((slot) => [slot.textContent, slot.getAttribute('aria-pressed'), slot.getAttribute('aria-busy'), slot.className])).toEqual([
      ['1.0', 'false', null, 'on'],
      ['2.0', 'true', 'true', 'loading'],
      ['2.1', 'false', null, ''],
    ]);
    await userEvent.keyboard('3');
    await userEvent.click(screen.getByRole('button', { name: 'Version 1.0' }));
    expect(chosen).toEqual(['v3', 'v1']);
  });

  test('shows the mentions of a summary as names', () => {
    const [selected, ...others] = versions;
    if (selected === undefined) throw new Error('no version');
    const mentioning = { ...selected, tinySummary: '%MENTION_Bob Tester_END% bass up' };
    const slots = [mentioning, ...others];
    renderFor(ana, <VersionSlots versions={slots} selectedVersion={mentioning} playingId={null} loadingId={null} onSelectVersion={() => undefined} />);
    expect(screen.getByTitle('@Bob Tester bass up')).toHaveAccessibleName('Version 1.0');
  });
});

describe('the version panel', () => {
  const panel = (view: readonly VersionView[], viewer: Parameters<typeof VersionPanel>[0]['viewer'] = owner) =>
    view.forEach((one) =>
      renderFor(ana, <VersionPanel version={one} versions={view} viewer={viewer} onReplace={() => undefined} onRemove={() => undefined} />),
    );

  test('shows loudness, true peak and format, and that the original file is played', () => {
    panel(version('v1', 1, 0, { analysis: { duration: 60, sampleRate: 48_000, channels: 2, codec: 'pcm_s24le', loudness: -11.9, truePeak: -0.8 } }));
    for (const words of ['−11.9 LUFS', '−0.8 dBTP', 'WAV 24 bit, 48 kHz, stereo', 'mix.wav', 'Playback uses the original file.'])
      expect(screen.getByText(words)).toBeInTheDocument();
  });

  test.each([
    ['alac', 'flac', 'Plays a FLAC copy of the ALAC original.'],
    ['pcm_f64le', 'pcm_f32le', 'Plays a WAV 32 bit float copy of the WAV 64 bit float original.'],
    ['pcm_s32le', 'pcm_s32le', 'Plays a WAV 32 bit copy of the original.'],
  ])('says that a copy is played, of %s in %s', (original, codec, words) => {
    const analysis = { duration: 60, sampleRate: 48_000, channels: 2, codec: original, loudness: -11.9, truePeak: -0.8 };
    panel(version('v1', 1, 0, { analysis, playback: { codec, isCopy: true } }));
    expect(screen.getByText(words)).toBeInTheDocument();
    expect(screen.queryByText('Playback uses the original file.')).not.toBeInTheDocument();
  });

  test('promises no playback before there is a copy', () => {
    panel(version('v1', 1, 0, { state: 'analysing', playback: { codec: 'alac', isCopy: false } }));
    expect(screen.getByRole('status')).toHaveTextContent('Drawing the waveform, measuring loudness, and making a copy that every browser plays.');
  });

  test('says which version is the quietest, and when one is silent', () => {
    const measured = (loudness: number | null) => ({ analysis: { duration: 60, sampleRate: 48_000, channels: 2, codec: 'mp3', loudness, truePeak: -1 } });
    panel([...version('v1', 1, 0, measured(-11.9)), ...version('v2', 2, 0, measured(-14.2)), ...version('v3', 2, 1, measured(null))]);
    expect(screen.getByText('Mark: 2.0 at −14.2 LUFS, the quietest. Loudness match turns the others down to it.')).toBeInTheDocument();
    expect(screen.getByText('The quietest version. Loudness match turns the others down to it.')).toBeInTheDocument();
    expect(screen.getByText('Silent, so it is not matched.')).toBeInTheDocument();
  });

  test('shows why a rejected version does not play, and offers to replace or remove it', () => {
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

  test('offers a visitor no actions', () => {
    const visitor = { uid: 'zoe', role: 'Visitor', access: null, may: { comment: false, download: false, write: false, owner: false } } as const;
    panel(version('v1', 1, 0, { state: 'rejected', rejection: { code: 'upload.damaged', detail: 'Damaged' } }), visitor);
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });
});

test.each([
  [30, 'The file is kept for 30 days.'],
  [1, 'The file is kept for 1 day.'],
  [0, 'The file is deleted at once.'],
])('removing a version asks for confirmation and says what is kept (TRASH_DAYS=%d)', async (trashDays, kept) => {
  server.answer({ 'GET /api/site': () => ({ json: { supportEmail: null, limits: { audioBytes: 48_000_000, pickerBytes: 31_457_280, trashDays } } }) });
  const [one] = version('v2', 2, 0);
  if (one === undefined) throw new Error('no version');
  const calls: string[] = [];
  server.answer({ 'POST /api/media/v2': () => ({ json: { updatedProject: project } }) });
  renderFor(ana, <RemoveVersionDialog version={one} onClose={() => calls.push('closed')} onProject={({ _id }) => calls.push(_id)} />);
  const question = within(await screen.findByRole('alertdialog', { name: 'Remove 2.0?' }));
  expect(question.getByText('Are you sure you want to remove this version from the project?')).toBeInTheDocument();
  expect(question.getByText('Comments/Todos from this version will still be visible.')).toBeInTheDocument();
  expect(await question.findByText(kept)).toBeInTheDocument();
  expect((await server.settledRequests()).filter(({ method }) => method !== 'GET')).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Remove version' }));
  await waitFor(() => expect(calls).toEqual([project._id, 'closed']));
});
