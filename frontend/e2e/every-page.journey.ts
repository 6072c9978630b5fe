import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import { COMMENT_PATHS } from '@roughmix/contracts/comments/comment.paths.js';
import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { madeWav } from './support/audio';
import { closeBrowser, openContext } from './support/browser';
import { complaints } from './support/complaints';
import { pictured } from './support/journey';
import { addUser, enter } from './support/people';
import { playerOf } from './support/project-page';
import { brokenRules, sidewaysOverflow } from './support/rules';
import { type RunningServer, startServer } from './support/server';
import { ask, makeProject } from './support/studio';

/** Somewhere to be on the site. */
interface Place {
  readonly name: string;
  readonly open: (page: Page) => Promise<void>;
}

const themes = ['dark', 'light'] as const;
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 }, narrowest: { width: 360, height: 740 } } as const;
let server: RunningServer;
let stranger: Page;
let page: Page;
let project: string;

beforeAll(async () => {
  server = await startServer();
  const ana = await addUser(server, 'Ana', 'Reis');
  const bob = await addUser(server, 'Bob', 'Stone');
  stranger = await (await openContext({ baseURL: server.address })).newPage();
  ({ page } = await enter(server, ana));
  const invited = [{ person: bob, level: 3 }] as const;
  const made = await makeProject(page, { title: 'A song with quite a long name that has to go somewhere', song: madeWav('song.wav', 8), invited });
  const [versionId] = made.versionIds;
  for (const [start, tag] of [
    [1, 'mix'],
    [1.5, 'performance'],
    [5, 'style'],
  ] as const) {
    await ask(page, 'POST', REGION_PATHS.add, { projectId: made._id, submission: { versionId, start, end: start + 1.2, tag, label: `A ${tag} of its own` } });
  }
  const submission = {
    content: '%MENTION_Bob Stone_END% have a listen, https://example.test/a-very-long-address-without-any-place-to-break-it-at-all',
    stamp: { versionId, at: 2 },
  };
  await ask(page, 'POST', COMMENT_PATHS.add, { projectId: made._id, submission });
  await ask(page, 'PUT', PROJECT_PATHS.edit(made._id), { submission: { description: 'What it is about, in a sentence.' } });
  project = `/projects/${made._id}`;
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

async function openProject(on: Page): Promise<void> {
  await on.goto(project);
  await playerOf(on).waitFor();
  await on.getByRole('article').waitFor();
  await on.getByText('True peak').waitFor();
}

/** A window over the page, by the button that opens it. */
const dialog = (button: string, title: string): Place => ({
  name: title,
  open: async (on) => {
    await openProject(on);
    await on.getByRole('button', { name: button }).click();
    await on.getByRole('dialog', { name: title }).waitFor();
  },
});

const places: readonly Place[] = [
  {
    name: 'the list',
    open: async (on) => {
      await on.goto('/projects');
      await on.getByRole('link', { name: /^A song/ }).waitFor();
    },
  },
  {
    name: 'the list in edit mode',
    open: async (on) => {
      await on.goto('/projects');
      await on.getByRole('button', { name: 'Edit' }).click();
      await on.getByRole('toolbar', { name: 'Selection' }).waitFor();
    },
  },
  {
    name: 'New Project',
    open: async (on) => {
      await on.goto('/projects');
      await on.getByRole('button', { name: 'Add Project' }).click();
      await on.getByRole('dialog', { name: 'New Project' }).waitFor();
    },
  },
  { name: 'a project', open: openProject },
  {
    name: 'a project with a region selected',
    open: async (on) => {
      await openProject(on);
      await on.getByRole('button', { name: /^A mix of its own, Mix, / }).click();
      await on.getByRole('slider', { name: 'Region start' }).waitFor();
    },
  },
  {
    name: 'a reply begun',
    open: async (on) => {
      await openProject(on);
      await on.getByRole('button', { name: 'Reply', exact: true }).click();
      await on.getByRole('textbox', { name: 'Reply to Ana Reis' }).waitFor();
    },
  },
  {
    name: 'a menu',
    open: async (on) => {
      await openProject(on);
      await on.getByRole('button', { name: 'More project actions' }).click();
      await on.getByRole('menu').waitFor();
    },
  },
  dialog('Invite Users', 'Invite Users'),
  dialog('Manage users', 'Project Users'),
  dialog('New Version', 'New Version'),
  {
    name: 'Keyboard shortcuts',
    open: async (on) => {
      await openProject(on);
      await on.keyboard.press('?');
      await on.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'a project that is not there',
    open: async (on) => {
      await on.goto('/projects/nothing_has_this_id_at_all');
      await on.getByText('There is no such project, or you have no access to it.').waitFor();
    },
  },
];

const login: Place = {
  name: 'the login',
  open: async (on) => {
    await on.goto('/login');
    await on.getByRole('heading', { name: 'Log In' }).waitFor();
  },
};

/** Looks at one place in both themes; what is wrong there, with where. */
async function wrongAt(on: Page, { name, open }: Place): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [size, viewport] of Object.entries(sizes)) {
    await on.setViewportSize(viewport);
    await open(on);
    for (const colorScheme of themes) {
      await on.emulateMedia({ colorScheme });
      const overflow = await sidewaysOverflow(on);
      if (overflow > 0) wrong.push(`${name}, ${size}, ${colorScheme}: scrolls ${overflow} px sideways`);
      if (size !== 'narrowest') wrong.push(...(await brokenRules(on)).map((rule) => `${name}, ${size}, ${colorScheme}: ${rule}`));
    }
  }
  return wrong;
}

test(
  'the login fits every screen and keeps the rules of accessibility',
  pictured(async () => expect(await wrongAt(stranger, login)).toEqual([])),
);

test.each(places)('$name fits every screen and keeps the rules of accessibility', (place) =>
  pictured(async () => {
    expect(await wrongAt(page, place)).toEqual([]);
  })(),
);

test('no page complained in its console', () => {
  expect(complaints(/ 404 \(Not Found\) \/api\/projects\/nothing_has_this_id_at_all\/visitor\/\w+$/)).toEqual([]);
});
