import { TODO_PATHS } from '@roughmix/contracts/todos/todo.paths.js';
import type { TodoAddedAnswer } from '@roughmix/contracts/todos/todo.view.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import { COMMENT_PATHS } from '@roughmix/contracts/comments/comment.paths.js';
import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { generatedWav } from './support/audio';
import { closeBrowser, openContext } from './support/browser';
import { consoleErrors } from './support/console-errors';
import { withScreenshots } from './support/journey';
import { addUser, openAs } from './support/people';
import { playerOf } from './support/project-page';
import { accessibilityViolations, dialogOverflow, horizontalOverflow } from './support/accessibility';
import { type RunningServer, startServer } from './support/server';
import { callApi, createProject } from './support/api';

/** A page, or a state of one. */
interface PageState {
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
  ({ page } = await openAs(server, ana));
  const invited = [{ person: bob, level: 3 }] as const;
  const made = await createProject(page, { title: 'A song with quite a long name that has to go somewhere', song: generatedWav('song.wav', 8), invited });
  const [versionId] = made.versionIds;
  for (const [start, tag] of [
    [1, 'mix'],
    [1.5, 'performance'],
    [5, 'style'],
  ] as const) {
    await callApi(page, 'POST', REGION_PATHS.add, {
      projectId: made._id,
      submission: { versionId, start, end: start + 1.2, tag, label: `A ${tag} of its own` },
    });
  }
  const submission = {
    content: '%MENTION_Bob Stone_END% have a listen, https://example.test/a-very-long-address-without-any-place-to-break-it-at-all',
    stamp: { versionId, at: 2 },
  };
  await callApi(page, 'POST', COMMENT_PATHS.add, { projectId: made._id, submission });
  const todo = { ...submission, dueDate: Date.now() + 3_600_000, reminder: { '30 minutes before': 0 } };
  await callApi(page, 'POST', TODO_PATHS.add, { projectId: made._id, submission: todo });
  const { newTodo } = await callApi<TodoAddedAnswer>(page, 'POST', TODO_PATHS.add, { projectId: made._id, submission: { content: 'Done already' } });
  if (newTodo) await callApi(page, 'PUT', TODO_PATHS.complete([newTodo._id]), { projectId: made._id });
  await callApi(page, 'PUT', PROJECT_PATHS.edit(made._id), { submission: { description: 'What it is about, in a sentence.' } });
  project = `/projects/${made._id}?tab=comments`;
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

/** A dialog of the project's page, with the button that opens it. */
const dialog = (button: string, title: string): PageState => ({
  name: title,
  open: async (on) => {
    await openProject(on);
    await on.getByRole('button', { name: button }).click();
    await on.getByRole('dialog', { name: title }).waitFor();
  },
});

const pageStates: readonly PageState[] = [
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
    name: 'the list while a song plays',
    open: async (on) => {
      await openProject(on);
      await on.getByRole('button', { name: 'Play', exact: true }).filter({ visible: true }).first().click();
      await on.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).click();
      await on.getByRole('region', { name: 'Now playing' }).waitFor();
    },
  },
  {
    name: 'the reminders, which a narrow screen shows in a sheet',
    open: async (on) => {
      await on.goto('/projects');
      await on.getByRole('button', { name: 'Add Project' }).waitFor();
      const opener = on.getByRole('button', { name: 'Reminders' });
      if (await opener.isVisible()) await opener.click();
      await on.getByRole('list', { name: 'Due next' }).filter({ visible: true }).waitFor();
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
  {
    name: 'Settings',
    open: async (on) => {
      await on.goto('/projects');
      await on.getByRole('button', { name: /^Account menu of/ }).click();
      await on.getByRole('menuitem', { name: 'Settings' }).click();
      await on.getByRole('dialog', { name: 'Settings' }).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'the notifications of the settings, from a link',
    open: async (on) => {
      await on.goto('/home?settings=notifications');
      await on.getByRole('dialog', { name: 'Settings' }).getByRole('switch', { name: 'Daily digest' }).waitFor();
    },
  },
  {
    name: 'the own page',
    open: async (on) => {
      await on.goto('/home');
      await on.getByRole('heading', { name: 'Ana Reis', level: 1 }).waitFor();
      await on.getByRole('button', { name: 'Following Bob Stone' }).waitFor();
    },
  },
  {
    name: "another user's page",
    open: async (on) => {
      await on.goto('/@bob-stone');
      await on.getByRole('heading', { name: 'Bob Stone', level: 1 }).waitFor();
      await on.getByRole('region', { name: 'Shared Projects' }).getByRole('listitem').waitFor();
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
    name: 'the todos, with the form of a due date',
    open: async (on) => {
      await on.goto(project.replace('comments', 'todos'));
      await on.getByRole('article', { name: 'Todo by Ana Reis' }).getByRole('checkbox', { name: 'Completed' }).check();
      await on.getByRole('button', { name: /^Complete 1 in / }).waitFor();
      await on.getByRole('button', { name: /^Due / }).click();
      await on.getByRole('dialog', { name: 'Due date and reminder' }).waitFor();
    },
  },
  {
    name: 'completed todos',
    open: async (on) => {
      await on.goto(project.replace('comments', 'todos'));
      await on.getByRole('radiogroup', { name: 'Todos' }).getByText('Completed').click();
      await on.getByText('currently disabled').waitFor();
    },
  },
  {
    name: 'the notes',
    open: async (on) => {
      await on.goto(project.replace('comments', 'notes'));
      await on.getByRole('textbox', { name: 'Public note' }).waitFor();
    },
  },
  {
    name: 'a search with results',
    open: async (on) => {
      await openProject(on);
      await on.keyboard.press('/');
      await on.getByRole('combobox', { name: 'Todos, comments, notes and regions' }).fill('a');
      await on.getByRole('option', { name: /^Region: A style of its own/ }).waitFor();
    },
  },
  {
    name: 'a reply being written',
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

/** The pages before the login, by heading. */
const publicPages: readonly PageState[] = Object.entries({
  'Your rough mix has something to say. Let the band answer.': '/',
  'Log In': '/login',
  'Reset Password': '/passwordReset',
  'New Password': '/passwordReset/from-a-mail',
  Unsubscribe: `/unsubscribe/digest-${'x'.repeat(60)}`,
  'Connect with Us': '/contact',
  'Register User': '/rwmsl9j7-register',
  'Bob Stone': '/@bob-stone',
}).map(([name, path]) => ({
  name,
  open: async (on) => {
    await on.goto(path);
    await on.getByRole('heading', { name, level: 1 }).waitFor();
  },
}));

/** How many dialogs, menus and lists are open. */
const openSurfaces = (on: Page): Promise<number> => on.locator('[role=dialog], [role=menu], [role=listbox]').filter({ visible: true }).count();

/** Overflow and accessibility violations of a page, in all sizes and both themes. */
async function problemsIn(on: Page, { name, open }: PageState): Promise<readonly string[]> {
  const wrong: string[] = [];
  let surfaces = 0;
  for (const [size, viewport] of Object.entries(sizes)) {
    await on.setViewportSize(viewport);
    // A phone that is a little narrower shows the same page. Loading it again is only needed if something that was open has closed.
    if (size !== 'narrowest' || (await openSurfaces(on)) !== surfaces) await open(on);
    surfaces = await openSurfaces(on);
    for (const colorScheme of themes) {
      await on.emulateMedia({ colorScheme });
      const overflow = await horizontalOverflow(on);
      if (overflow > 0) wrong.push(`${name}, ${size}, ${colorScheme}: scrolls ${overflow} px sideways`);
      const moved = await dialogOverflow(on);
      if (moved > 0) wrong.push(`${name}, ${size}, ${colorScheme}: the dialog scrolls ${moved} px out of its place`);
      const coloursOnly = colorScheme !== themes[0];
      if (size !== 'narrowest') wrong.push(...(await accessibilityViolations(on, { coloursOnly })).map((rule) => `${name}, ${size}, ${colorScheme}: ${rule}`));
    }
  }
  return wrong;
}

test.each(publicPages)('$name fits every screen size and passes the accessibility rules for a stranger', (pageState) =>
  withScreenshots(async () => {
    expect(await problemsIn(stranger, pageState)).toEqual([]);
  })(),
);

test.each(pageStates)('$name fits every screen size and passes the accessibility rules', (pageState) =>
  withScreenshots(async () => {
    expect(await problemsIn(page, pageState)).toEqual([]);
  })(),
);

test('no page logged an error to its console', () => {
  expect(consoleErrors(/ 404 \(Not Found\) \/api\/projects\/nothing_has_this_id_at_all\/visitor\/\w+$/)).toEqual([]);
});
