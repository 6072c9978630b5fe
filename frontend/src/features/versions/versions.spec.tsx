import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { ana, project, version, versions } from '../../testing/versions';
import { renderFor } from '../../testing/with-session';
import { RemoveVersionDialog } from './remove-version-dialog';
import { useVersionSelection } from './use-version-selection';
import { VersionPanel } from './version-panel';
import { VersionSlots } from './version-slots';

const owner = { uid: 'ana', role: 'Owner', access: null, may: { comment: true, download: true, write: true, owner: true } } as const;
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({});
});
afterEach(() => server.close());

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
