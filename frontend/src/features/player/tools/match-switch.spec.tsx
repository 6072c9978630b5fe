import { describe, expect, test } from '@jest/globals';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { projectCalled, selfCalled } from '../../../testing/people-and-projects';
import { aPlayer } from '../player-fixture';
import { trackOf, tracksOf } from '../track';
import { MatchSwitch } from './match-switch';

const project = projectCalled('P1', selfCalled('Ana'));

function versionsOf(...loudnesses: readonly (number | null)[]): readonly VersionView[] {
  return loudnesses.flatMap((loudness, at) =>
    project.versions.map((version) => ({
      ...version,
      _id: `v${at + 1}`,
      analysis: { duration: 60, sampleRate: 48_000, channels: 2, codec: 'mp3', loudness, truePeak: -1 },
    })),
  );
}

/** The switch with the first of these versions selected. */
function openSwitch(versions: readonly VersionView[]) {
  const { store } = aPlayer();
  const [version] = versions;
  if (version === undefined) throw new Error('no version');
  store.load(trackOf(version));
  store.setTracks(tracksOf(versions));
  render(<MatchSwitch store={store} version={version} versions={versions} />);
  return store;
}

const theSwitch = () => screen.getByRole('switch', { name: 'Match loudness' });

describe('loudness match', () => {
  test('is on, and says by how much the version is turned down', () => {
    openSwitch(versionsOf(-11.9, -14.2));
    expect(theSwitch()).toBeChecked();
    expect(screen.getByText('−11.9 LUFS, turned down 2.3 dB')).toBeVisible();
  });

  test('leaves the quietest version unchanged', () => {
    openSwitch(versionsOf(-14.2, -11.9));
    expect(screen.getByText('−14.2 LUFS, unchanged')).toBeVisible();
  });

  test('is turned off and on by a press and by M', async () => {
    const store = openSwitch(versionsOf(-11.9, -14.2));
    await userEvent.click(theSwitch());
    expect(theSwitch()).not.toBeChecked();
    expect(store.getSnapshot().gainDb).toBe(0);
    expect(screen.getByText('−11.9 LUFS')).toBeVisible();
    await userEvent.keyboard('m');
    expect(theSwitch()).toBeChecked();
    expect(store.getSnapshot().gainDb).toBeCloseTo(-2.3);
  });

  test('says when a version is silent or not measured yet', () => {
    openSwitch(versionsOf(null, -14.2, -11.9));
    expect(screen.getByText('Silent, not matched')).toBeVisible();
    const [first, ...others] = versionsOf(-11.9, -14.2);
    if (first) openSwitch([{ ...first, state: 'analysing', analysis: null }, ...others]);
    expect(screen.getByText('Measuring loudness')).toBeVisible();
  });

  test('is not offered for a single version', async () => {
    const store = openSwitch(versionsOf(-11.9));
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
    await userEvent.keyboard('m');
    expect(store.getSnapshot().isMatched).toBe(true);
  });
});
