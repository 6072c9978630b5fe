import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aRegion } from '../../features/regions/testing';
import { aComment } from '../../testing/comments';
import { openPage } from '../../testing/open-page';
import { projectCalled, selfCalled } from '../../testing/people-and-projects';
import { startProjectServer } from '../../testing/project-server';
import type { StubServer } from '../../testing/stub-server';

const ana = selfCalled('Ana');
const first = projectCalled('P1', ana);
const [version] = first.versions;
if (version === undefined) throw new Error('a project has a version');
const versionId = version._id;
const other = { ...version, _id: 'p1_v2', majorUpdate: 2 };
const project = { ...first, versions: [version, other], versionIds: [versionId, other._id], currentVersion: version };
let server: StubServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = await startProjectServer(
    project,
    {},
    {
      'POST /api/regions': () => ({ status: 201, json: { newRegion: aRegion('saved', { versionId, user: ana }), updatedProject: null } }),
      'POST /api/comments': () => ({ status: 201, json: { newComment: aComment('new', { user: ana }), oldComment: null, updatedProject: null } }),
    },
  );
});
afterEach(() => server.close());

const box = () => screen.getByRole('textbox', { name: 'New comment' });
const grip = () => screen.getByRole('slider', { name: 'Range from 0:20.0' });
const tick = () => screen.queryByRole('checkbox', { name: /Tag the selected region/ });
const posts = () => server.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, (body as { submission: unknown }).submission]);
const send = () => userEvent.type(box(), '{Control>}{Enter}{/Control}');
const stamped = { content: 'Here', versionId, stamp: { versionId, at: 20 } };

/** Opens the first version at 20 s, and writes a comment. */
async function write() {
  openPage('/projects/p1?v=1.0&t=20&tab=comments');
  await userEvent.type(await screen.findByRole('textbox', { name: 'New comment' }), 'Here');
}

test('a timestamp grown into a range is sent with the region, which is saved first', async () => {
  await write();
  await userEvent.click(grip());
  expect(await screen.findByRole('group', { name: 'Region: New general region' })).toBeInTheDocument();
  await waitFor(() => expect(tick()).toBeChecked());
  await send();
  await waitFor(() => expect(posts()).toHaveLength(2));
  expect(posts()).toEqual([
    ['/api/regions', expect.objectContaining({ versionId, start: 20, end: 24, tag: 'general' })],
    ['/api/comments', { ...stamped, taggedRegions: [{ _id: 'saved' }] }],
  ]);
});

test('what is typed while the region is saved stays in the box', async () => {
  let save = () => {};
  const saved = new Promise<void>((resolve) => (save = resolve));
  await write();
  await userEvent.click(grip());
  await waitFor(() => expect(tick()).toBeChecked());
  server.answer({
    'POST /api/regions': async () => {
      await saved;
      return { status: 201, json: { newRegion: aRegion('saved', { versionId, user: ana }), updatedProject: null } };
    },
  });
  await send();
  await userEvent.type(box(), ' and there');
  save();
  await waitFor(() => expect(posts()).toHaveLength(2));
  expect(posts()[1]).toEqual(['/api/comments', { ...stamped, taggedRegions: [{ _id: 'saved' }] }]);
  await waitFor(() => expect(box()).toHaveValue('and there'));
});

test('Escape returns from the range to the timestamp', async () => {
  await write();
  act(() => grip().focus());
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  await waitFor(() => expect(grip()).toHaveAttribute('aria-valuetext', '0:20.0 to 0:22.0'));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(grip()).toHaveAttribute('aria-valuetext', 'no range'));
  expect(tick()).not.toBeInTheDocument();
  await userEvent.keyboard('{ArrowRight}');
  await waitFor(() => expect(grip()).toHaveAttribute('aria-valuetext', '0:20.0 to 0:20.1'));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(tick()).not.toBeInTheDocument());
  await send();
  await waitFor(() => expect(posts()).toEqual([['/api/comments', stamped]]));
});

test('a post keeps its version and range while another version is open, where nothing new is offered as a tag', async () => {
  await write();
  await userEvent.click(grip());
  await waitFor(() => expect(tick()).toBeChecked());
  const open = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  await open('Version 2.0');
  expect(screen.queryByRole('group', { name: /^Region: / })).not.toBeInTheDocument();
  expect(tick()).toBeChecked();
  await send();
  await waitFor(() => expect(posts().at(-1)).toEqual(['/api/comments', { ...stamped, taggedRegions: [{ _id: 'saved' }] }]));
  await waitFor(() => expect(tick()).not.toBeInTheDocument());
});
