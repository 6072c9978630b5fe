import { beforeEach, describe, expect, test } from '@jest/globals';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { projectCalled, selfCalled } from '../../../testing/people-and-projects';
import { WithCache } from '../../../testing/with-cache';
import { Player } from '../player';
import { aPlayer } from '../player-fixture';

const project = projectCalled('P1', selfCalled('Ana'));
const aVersion = (at: number, changes: Partial<VersionView> = {}): VersionView[] =>
  project.versions.map((version) => ({ ...version, _id: `v${at}`, majorUpdate: at, tinySummary: `Mix ${at}`, duration: 60 * at, ...changes }));
const versions = [...aVersion(1), ...aVersion(2), ...aVersion(3), ...aVersion(4, { state: 'rejected' })];
const nothing = () => undefined;

function Page({ store, list }: { readonly store: ReturnType<typeof aPlayer>['store']; readonly list: readonly VersionView[] }) {
  const [id, setId] = useState('v3');
  const version = list.find(({ _id }) => _id === id) ?? null;
  const noMarks = { marks: [], pins: [], selected: null, selectedPin: null, draw: null, onPin: nothing };
  return (
    <>
      <p>selected {id}</p>
      <Player {...noMarks} store={store} version={version} allVersions={list} onSelectVersion={setId} />
    </>
  );
}

function openPage(list = versions) {
  const { store } = aPlayer();
  render(<Page store={store} list={list} />, { wrapper: WithCache });
  return store;
}

const selected = () => screen.getByText(/^selected/).textContent;
const heads = () => screen.queryAllByRole('button', { name: /^\d\.0 Mix/ });
const names = () => heads().map((head) => `${head.textContent} ${head.getAttribute('aria-pressed')}`);
const compare = () => screen.getByRole('button', { name: 'Compare two versions' });

describe('comparing two versions', () => {
  beforeEach(() => localStorage.clear());

  test('shows the wave of the version before under the selected one, until it is pressed again', async () => {
    openPage();
    expect(names()).toEqual([]);
    await userEvent.click(compare());
    expect(names()).toEqual(['3.0Mix 3 true', '2.0Mix 2X false']);
    await userEvent.click(compare());
    expect(names()).toEqual([]);
  });

  test('a press on the other name switches to it; the waves keep their places', async () => {
    const store = openPage();
    await userEvent.click(compare());
    await userEvent.click(screen.getByRole('button', { name: /^2.0 Mix/ }));
    expect(names()).toEqual(['3.0Mix 3X false', '2.0Mix 2 true']);
    expect(selected()).toBe('selected v2');
    expect(store.getSnapshot().versionId).toBe('v2');
  });

  test('X switches between the last two versions, also with one wave', async () => {
    openPage();
    await userEvent.keyboard('x');
    expect(selected()).toBe('selected v2');
    await userEvent.keyboard('x');
    expect(selected()).toBe('selected v3');
  });

  test('the other version is chosen from a menu of those that can be played', async () => {
    openPage();
    await userEvent.click(compare());
    await userEvent.click(screen.getByRole('button', { name: 'Compare with another version' }));
    const menu = within(await screen.findByRole('menu'));
    expect(menu.getAllByRole('menuitemradio').map(({ textContent }) => textContent)).toEqual(['2.0 Mix 2', '1.0 Mix 1']);
    await userEvent.click(menu.getByRole('menuitemradio', { name: '1.0 Mix 1' }));
    expect(names()).toEqual(['3.0Mix 3 true', '1.0Mix 1X false']);
    expect(selected()).toBe('selected v3');
  });

  test('says when a shorter version has ended', async () => {
    const store = openPage();
    await userEvent.click(compare());
    expect(screen.queryByText('2.0 ended at 2:00')).not.toBeInTheDocument();
    act(() => store.seek(150));
    expect(screen.getByText('2.0 ended at 2:00')).toBeInTheDocument();
  });

  test('names the version of each slider', async () => {
    openPage();
    expect(screen.getByRole('slider', { name: 'Playhead' })).toBeVisible();
    await userEvent.click(compare());
    expect(screen.getAllByRole('slider', { name: /^Playhead/ }).map((slider) => slider.getAttribute('aria-label'))).toEqual([
      'Playhead in 3.0',
      'Playhead in 2.0',
    ]);
  });

  test('is not offered when only one version can be played', () => {
    openPage([...aVersion(3), ...aVersion(4, { state: 'rejected' })]);
    expect(screen.queryByRole('button', { name: 'Compare two versions' })).not.toBeInTheDocument();
  });
});
