import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aSession, PlainMetadata } from '../features/player/media-session-fixture';
import { openPage } from '../testing/open-page';
import { personCalled, projectCalled, selfCalled } from '../testing/people-and-projects';
import { startStubServer, type StubServer } from '../testing/stub-server';

const ana = selfCalled('Ana');
const lowTide = projectCalled('Low Tide', ana);
const highWater = projectCalled('High Water', personCalled('Bob'));
const AUDIO = 'HEAD /api/media/:id/audio';
let server: StubServer;
let played: HTMLMediaElement[] = [];

beforeEach(async () => {
  localStorage.clear();
  played = [];
  // Media elements do not play here, so this one says that it does.
  jest.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(function play(this: HTMLMediaElement) {
    played.push(this);
    this.dispatchEvent(new Event('loadedmetadata'));
    this.dispatchEvent(new Event('playing'));
    return Promise.resolve();
  });
  URL.createObjectURL = () => 'blob:silence';
  URL.revokeObjectURL = () => undefined;
  const page = (project: typeof lowTide) => ({ json: { data: { project, versions: project.versions, regions: [], todos: [], comments: [] } } });
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }),
    'GET /api/projects/ana': () => ({ json: { projects: [] } }),
    'GET /api/projects/low_tide/visitor/ana': () => page(lowTide),
    'GET /api/projects/high_water/visitor/ana': () => page(highWater),
    'POST /api/auth/logout': () => ({ json: {} }),
    [AUDIO]: () => ({}),
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});

/** The transport above the wave of a project's page; small screens have another one. */
async function player() {
  const [transport] = within(await screen.findByRole('region', { name: 'Player' })).getAllByRole('group', { name: 'Transport' });
  if (transport === undefined) throw new Error('no transport');
  return within(transport);
}
const bar = async () => within(await screen.findByRole('region', { name: 'Now playing' }));
const noBar = () => expect(screen.queryByRole('region', { name: 'Now playing' })).toBeNull();

/** Plays Low Tide on its page. */
async function playing() {
  const page = openPage('/projects/low_tide');
  await userEvent.click((await player()).getByRole('button', { name: 'Play' }));
  return page;
}

/** Plays Low Tide and opens another page. */
async function playingElsewhere(address = '/projects') {
  const page = await playing();
  await act(() => page.router.navigate(address));
  return page;
}

describe('what was heard', () => {
  test('is reported when the page is left, in whole seconds', async () => {
    const { reports } = await playing();
    const clock = jest.spyOn(performance, 'now');
    const now = performance.now();
    // The meter starts a moment after the first play.
    await waitFor(() => {
      clock.mockReturnValue(now + 3_000);
      window.dispatchEvent(new Event('pagehide'));
      clock.mockReturnValue(now + 8_500);
      window.dispatchEvent(new Event('pagehide'));
      expect(reports.length).toBeGreaterThan(0);
    });
    expect(reports).toEqual([{ versionId: 'low_tide_v1', seconds: expect.any(Number) }]);
  });
});

describe('the bar', () => {
  test('appears once something plays, on every page but its own', async () => {
    const page = openPage('/projects');
    expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeVisible();
    noBar();
    await act(() => page.router.navigate('/projects/low_tide'));
    await userEvent.click((await player()).getByRole('button', { name: 'Play' }));
    noBar();
    await act(() => page.router.navigate('/projects'));
    expect((await bar()).getByText('1.0 Initial Version')).toBeVisible();
    expect((await bar()).getByRole('button', { name: 'Pause' })).toBeVisible();
  });

  test('its name leads back to the project at this version', async () => {
    const page = await playingElsewhere();
    await userEvent.click((await bar()).getByRole('link', { name: 'Low Tide' }));
    await waitFor(() => expect(page.address()).toBe('/projects/low_tide?v=low_tide_v1'));
    expect((await player()).getByRole('button', { name: 'Pause' })).toBeVisible();
    noBar();
  });

  test('its slider seeks by keyboard', async () => {
    await playingElsewhere();
    const slider = (await bar()).getByRole('slider', { name: 'Seek' });
    slider.focus();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}');
    expect(slider).toHaveAttribute('aria-valuetext', '0:05.0 of 1:00.0');
    await userEvent.keyboard('{End}');
    expect(slider).toHaveAttribute('aria-valuenow', '60');
    await userEvent.keyboard('{Home}');
    expect(slider).toHaveAttribute('aria-valuenow', '0');
  });

  test('Space pauses and resumes on a page without a player', async () => {
    await playingElsewhere();
    await bar();
    await userEvent.keyboard(' ');
    expect((await bar()).getByRole('button', { name: 'Play' })).toBeVisible();
    await userEvent.keyboard(' ');
    expect((await bar()).getByRole('button', { name: 'Pause' })).toBeVisible();
  });

  test("on another project's page Space plays that project instead", async () => {
    await playingElsewhere('/bob/projects/high_water');
    expect((await bar()).getByRole('link', { name: 'Low Tide' })).toBeVisible();
    expect((await player()).getByRole('button', { name: 'Play' })).toBeVisible();
    await userEvent.keyboard(' ');
    expect((await player()).getByRole('button', { name: 'Pause' })).toBeVisible();
    noBar();
  });

  test('closing it stops playback and moves the focus to the page', async () => {
    const page = await playingElsewhere();
    await userEvent.click((await bar()).getByRole('button', { name: 'Stop and close' }));
    noBar();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'All Projects' })).toHaveFocus());
    await act(() => page.router.navigate('/projects/low_tide'));
    expect((await player()).getByRole('button', { name: 'Play' })).toBeVisible();
  });
});

describe('playback ends', () => {
  test('with the session', async () => {
    const page = await playingElsewhere();
    await bar();
    await userEvent.click(screen.getByRole('button', { name: 'Account menu of Ana' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
    await waitFor(() => expect(page.address()).toBe('/login'));
    noBar();
  });

  test('when the server says that the user may no longer listen', async () => {
    await playingElsewhere();
    await bar();
    server.answer({ [AUDIO]: () => ({ status: 404 }) });
    await waitFor(noBar, { timeout: 5_000 });
    expect(await screen.findByText('You can no longer listen to Low Tide.')).toBeVisible();
  });

  test('also when the audio fails to load first', async () => {
    await playingElsewhere();
    await bar();
    server.answer({ [AUDIO]: () => ({ status: 404 }) });
    act(() => void played.find(({ src }) => src.endsWith('/audio'))?.dispatchEvent(new Event('error')));
    expect((await bar()).getByRole('alert')).toHaveTextContent('Unable to load media');
    expect(await screen.findByText('You can no longer listen to Low Tide.', {}, { timeout: 5_000 })).toBeVisible();
    noBar();
  });

  test('when the session has ended elsewhere', async () => {
    await playingElsewhere();
    await bar();
    server.answer({ [AUDIO]: () => ({ status: 401 }) });
    expect(await screen.findByRole('dialog', { name: 'Log In' }, { timeout: 5_000 })).toBeVisible();
    await waitFor(noBar);
  });

  test("when the project's page finds that the project is gone", async () => {
    const page = await playingElsewhere();
    await bar();
    server.answer({ 'GET /api/projects/low_tide/visitor/ana': () => ({ status: 404, json: { code: 'project.not-found', status: 404, detail: 'Gone.' } }) });
    await act(() => page.router.navigate('/projects/low_tide'));
    expect(await screen.findByText('There is no such project, or you have no access to it.')).toBeVisible();
    await act(() => page.router.navigate('/projects'));
    expect(await screen.findByRole('heading', { name: 'All Projects' })).toBeVisible();
    noBar();
  });

  test('not because the server is unreachable', async () => {
    await playing();
    let requests = 0;
    server.answer({
      [AUDIO]: () => {
        requests += 1;
        return 'hang up';
      },
    });
    await waitFor(() => expect(requests).toBeGreaterThan(0), { timeout: 5_000 });
    expect((await player()).getByRole('button', { name: 'Pause' })).toBeVisible();
  });
});

test("the system's keys choose the next version, which the page then shows", async () => {
  const [version] = lowTide.versions;
  if (version === undefined) throw new Error('no version');
  const next = { ...version, _id: 'low_tide_v2', majorUpdate: 2, tinySummary: 'Louder' };
  server.answer({
    'GET /api/projects/low_tide/visitor/ana': () => ({ json: { data: { project: lowTide, versions: [version, next], regions: [], todos: [], comments: [] } } }),
  });
  const { session, press } = aSession();
  Object.assign(window, { MediaMetadata: PlainMetadata });
  Object.defineProperty(navigator, 'mediaSession', { value: session, configurable: true });
  openPage('/projects/low_tide?v=1.0');
  await userEvent.click((await player()).getByRole('button', { name: 'Play' }));
  await waitFor(() => expect(session.metadata).toMatchObject({ title: 'Low Tide', album: '1.0 Initial Version', artist: 'Ana' }));
  act(() => press({ action: 'nexttrack' }));
  expect(await screen.findByRole('heading', { name: 'Version 2.0' })).toBeVisible();
  await waitFor(() => expect(session.metadata).toMatchObject({ album: '2.0 Louder' }));
  expect((await player()).getByRole('button', { name: 'Pause' })).toBeVisible();
  Reflect.deleteProperty(navigator, 'mediaSession');
  Reflect.deleteProperty(window, 'MediaMetadata');
});
