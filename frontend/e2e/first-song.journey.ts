import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { mp3Song, type Song, songSource, wavSong } from './support/audio';
import { closeBrowser } from './support/browser';
import { consoleErrors, serverDownErrors } from './support/console-errors';
import { nextJumpBack, playbackPosition, playsPast, measureLoudness } from './support/playback';
import { readWavePixels } from './support/wave-pixels';
import { type TestSite, openTestSite } from './support/test-site';
import { watchFor } from './support/transient-text';
import { eventually, withScreenshots } from './support/journey';
import { addUser, openAs, type Person } from './support/people';
import { commentsOf, composerOf, drawOnWave, expectComments, openComments, playerOf, sendComment, waveOf } from './support/project-page';

let site: TestSite;
let ana: Page;
let bob: Page;
let bobs: Person;
/** Paths that Ana's page requested since this was last cleared. */
const requests: string[] = [];

beforeAll(async () => {
  site = await openTestSite();
  const [anas, other] = site.entryPoints;
  const people = [await addUser(anas, 'Ana', 'Reis'), await addUser(other, 'Bob', 'Stone')] as const;
  bobs = people[1];
  [{ page: ana }, { page: bob }] = await Promise.all([openAs(anas, people[0]), openAs(other, bobs)]);
  ana.on('request', (request) => requests.push(new URL(request.url()).pathname));
});
afterAll(async () => {
  await closeBrowser();
  await site.stop();
});

const mediaRequests = (ending: string) => requests.filter((path) => path.startsWith('/api/media/') && path.endsWith(ending));

/** Fills in the New Project dialog and waits for the project's page. */
async function uploadAsProject(page: Page, title: string, { file }: Song): Promise<void> {
  await page.getByRole('link', { name: 'Projects', exact: true }).first().click();
  await page.getByRole('button', { name: 'Add Project' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Project' });
  await dialog.getByLabel('Title').fill(title);
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Create Project' }).click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

async function factsOf(page: Page): Promise<Record<string, string>> {
  const facts = page.getByRole('region', { name: 'Version 1.0' });
  const [names, values] = [await facts.locator('dt').allInnerTexts(), await facts.locator('dd').allInnerTexts()];
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}

/** The name that the browser saves a file under, and its bytes. */
async function saved(press: () => Promise<void>): Promise<readonly [name: string, bytes: Buffer]> {
  const [download] = await Promise.all([ana.waitForEvent('download'), press()]);
  return [download.suggestedFilename(), await readFile(await download.path())];
}

async function exportMarkers(format: string): Promise<void> {
  await ana.getByRole('button', { name: 'Export markers' }).click();
  await ana.getByRole('menuitem', { name: format }).click();
}

/** The only thread of this journey. */
const threadOf = (page: Page) => page.locator('.post-thread');

test(
  `an MP3 becomes a project that plays, ${songSource}`,
  withScreenshots(async () => {
    const song = mp3Song();
    await uploadAsProject(ana, 'Coherence', song);
    await eventually(async () =>
      expect(await factsOf(ana)).toMatchObject({ Format: song.format, Length: song.length, File: song.file.name, 'Added by': 'Ana Reis' }),
    );

    await playerOf(ana).getByRole('button', { name: 'Play', exact: true }).click();
    await playsPast(ana, 0.5);
    await playerOf(ana).getByRole('button', { name: 'Pause', exact: true }).click();
  }),
);

test(
  'a WAV is drawn from its peaks before any audio is fetched',
  withScreenshots(async () => {
    requests.length = 0;
    const song = wavSong();
    await uploadAsProject(ana, 'By-Product', song);
    await eventually(async () => expect(await factsOf(ana)).toMatchObject({ Format: song.format, Length: song.length, File: song.file.name }));
    await eventually(async () => {
      const ink = await readWavePixels(ana);
      expect(ink).toMatchObject({ columns: 1440, nonEmpty: 1440 });
      expect(ink.highest).toBeGreaterThan(ink.lowest * 4);
    });
    expect(mediaRequests('/peaks').length).toBeGreaterThan(0);
    expect(mediaRequests('/audio')).toEqual([]);
  }),
);

test(
  'play fetches the audio and makes it audible',
  withScreenshots(async () => {
    await playerOf(ana).getByRole('button', { name: 'Play', exact: true }).click();
    await playsPast(ana, 0.3);
    expect(await measureLoudness(ana)).toBeGreaterThan(0.001);
    expect(mediaRequests('/audio').length).toBeGreaterThan(0);
    await eventually(async () => expect(await playerOf(ana).locator('.clock').first().innerText()).not.toBe('0:00.0'));
    await playerOf(ana).getByRole('button', { name: 'Pause', exact: true }).click();
    const at = await playbackPosition(ana);
    expect(at).toBeGreaterThan(0.3);
  }),
);

test(
  'a region is drawn with the mouse, labelled, categorised, resized with keys and looped',
  withScreenshots(async () => {
    await drawOnWave(ana, 0.25, 0.3);
    const panel = playerOf(ana).getByRole('group', { name: /^Region: / });
    await panel.getByText('Not saved yet').waitFor();
    await panel.getByRole('button', { name: 'Save region' }).click();
    await panel.getByText('Not saved yet').waitFor({ state: 'hidden' });

    await panel.getByRole('button', { name: 'Category: General' }).click();
    await ana.getByRole('menuitem', { name: 'Mix' }).click();
    await panel.getByRole('button', { name: 'Category: Mix' }).waitFor();
    await panel.getByRole('button', { name: /^Label: / }).click();
    await panel.getByRole('textbox', { name: 'Label' }).fill('Bass too loud');
    await ana.keyboard.press('Enter');
    await playerOf(ana).getByRole('group', { name: 'Region: Bass too loud' }).waitFor();

    const end = ana.getByRole('slider', { name: 'Region end' });
    const before = Number(await end.getAttribute('aria-valuenow'));
    await end.press('ArrowRight');
    await eventually(async () => expect(Number(await end.getAttribute('aria-valuenow'))).toBeCloseTo(before + 0.1, 3));

    await panel.getByRole('button', { name: 'Loop' }).click();
    await playerOf(ana).getByRole('button', { name: 'Play', exact: true }).click();
    const start = Number(await ana.getByRole('slider', { name: 'Region start' }).getAttribute('aria-valuenow'));
    await playsPast(ana, start + 0.2);
    const jump = await nextJumpBack(ana);
    // The clock shows tenths, and a busy page draws it late.
    expect(jump.to).toBeGreaterThan(start - 0.11);
    expect(jump.from).toBeLessThan(before + 0.11);
    expect(jump.from - jump.to).toBeGreaterThan((before - start) / 2);
    await playerOf(ana).getByRole('button', { name: 'Pause', exact: true }).click();
  }),
);

test(
  'a download is the uploaded file under its own name',
  withScreenshots(async () => {
    const { file } = wavSong();
    const [name, bytes] = await saved(() => playerOf(ana).getByRole('link', { name: 'Download 1.0' }).click());
    expect([name, bytes.equals(file.buffer)]).toEqual([file.name, true]);
  }),
);

test(
  'the regions are saved for other programs, and open as a page to print with its own style sheet',
  withScreenshots(async () => {
    const [name, bytes] = await saved(() => exportMarkers('REAPER'));
    expect([name, bytes.toString()]).toEqual([
      'By-Product 1.0 REAPER markers.csv',
      expect.stringMatching(/^#,Name,Start,End,Length,Color\r\nR1,Bass too loud,(0:00:[0-9]{2}\.[0-9]{3},){3}1D4F92\r\n$/),
    ]);

    const [print] = await Promise.all([ana.context().waitForEvent('page'), exportMarkers('Print')]);
    await print.getByRole('heading', { name: 'By-Product 1.0' }).waitFor();
    expect(await print.getByRole('cell', { name: 'Bass too loud' }).count()).toBe(1);
    expect(await print.getByRole('cell', { name: 'Mix', exact: true }).evaluate((cell) => getComputedStyle(cell).color)).toBe('rgb(29, 79, 146)');
    await print.close();
  }),
);

test(
  'an invited user sees the project appear without a reload',
  withScreenshots(async () => {
    await bob.getByText('Nothing here yet').waitFor();
    await bob.evaluate(() => Object.assign(window, { neverReloaded: true }));

    await ana.getByRole('button', { name: 'Invite Users' }).click();
    const dialog = ana.getByRole('dialog', { name: 'Invite Users' });
    await dialog.getByRole('combobox', { name: 'People' }).fill('Bob');
    await dialog.getByRole('option', { name: /Bob Stone/ }).click();
    expect(await dialog.getByRole('switch', { name: 'Comment', exact: true }).isChecked()).toBe(true);
    const sent = await watchFor(dialog, 'Invitations sent.');
    const toast = await watchFor(bob.locator('body'), 'Ana Reis invited you to By-Product');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await sent.appeared();
    await toast.appeared();

    await bob.getByRole('region', { name: 'Projects shared with you' }).getByRole('link', { name: 'By-Product' }).click();
    await bob.getByRole('heading', { name: 'By-Product', level: 1 }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    for (const page of [ana, bob]) await page.getByText('2 here now').waitFor();
  }),
);

test(
  'a comment with a mention, a region and a timestamp reaches the other user live, and so does the reply',
  withScreenshots(async () => {
    for (const page of [ana, bob]) await openComments(page);
    await bob.getByRole('button', { name: /^Bass too loud, Mix, / }).click();
    await waveOf(bob).press('ArrowRight');
    await playerOf(bob)
      .getByRole('button', { name: /^Comment/ })
      .click();
    const box = composerOf(bob);
    await box.getByRole('textbox', { name: 'New comment' }).pressSequentially('@re');
    await box.getByRole('option', { name: /Ana Reis/ }).click();
    await box.getByRole('textbox', { name: 'New comment' }).pressSequentially('the bass eats the vocal');
    expect(await box.getByRole('checkbox', { name: /^Tag the selected region, Mix/ }).isChecked()).toBe(true);
    await box.getByRole('button', { name: 'Remove timestamp 0:05.0' }).waitFor();
    await box.getByRole('button', { name: 'Send' }).click();

    const comments = commentsOf(ana);
    await expectComments(ana, ['@Ana Reis the bass eats the vocal']);
    expect(await comments.locator('.mention').allInnerTexts()).toEqual(['@Ana Reis']);
    expect(await comments.getByRole('button', { name: 'Go to 0:05.0' }).count()).toBe(1);
    expect(await comments.getByRole('button', { name: /^Mix, / }).count()).toBe(1);

    const thread = threadOf(ana);
    await thread.getByRole('button', { name: 'Reply', exact: true }).click();
    await thread.getByRole('textbox', { name: 'Reply to Bob Stone' }).fill('Two dB down in the next one');
    await thread.getByRole('button', { name: 'Send reply' }).click();
    await bob.getByRole('button', { name: '1 Reply' }).click();
    await expectComments(bob, ['@Ana Reis the bass eats the vocal', 'Two dB down in the next one']);
  }),
);

test(
  'both users see likes and edits, and a removed comment keeps its replies',
  withScreenshots(async () => {
    const first = threadOf(ana).getByRole('article').first();
    await first.getByRole('button', { name: 'Like', exact: true }).click();
    await first.getByRole('button', { name: 'Like, liked by 1 person', pressed: true }).waitFor();
    const own = threadOf(bob).getByRole('article').first();
    await own.getByText('Liked by').waitFor();

    await own.getByRole('button', { name: 'Edit' }).click();
    await own.getByRole('textbox', { name: 'Edit comment' }).fill('The bass eats the kick');
    await own.getByRole('button', { name: 'Save' }).click();
    await expectComments(ana, ['The bass eats the kick', 'Two dB down in the next one']);
    expect(await commentsOf(ana).first().getByText(', edited').count()).toBe(1);

    // Until the edit is confirmed, the editor still has a button 'Remove tag'.
    await own.getByRole('button', { name: 'Remove', exact: true }).click();
    await bob.getByRole('region', { name: 'Messages' }).getByText('Comment removed.').waitFor();
    for (const page of [ana, bob]) await expectComments(page, ['content removed...', 'Two dB down in the next one']);
    expect(await bob.evaluate(() => 'neverReloaded' in window)).toBe(true);
  }),
);

test(
  'writing pauses playback, its timestamp is dragged into a range, and sending resumes playback',
  withScreenshots(async () => {
    const button = (name: string) => playerOf(ana).getByRole('button', { name, exact: true });
    await ana.keyboard.press('Escape');
    await button('Play').click();
    await button('Pause').waitFor();
    await ana.keyboard.press('t');
    await ana.getByRole('textbox', { name: 'New todo' }).pressSequentially('Softer here');
    await button('Play').waitFor();

    const mark = ana.locator('.stamp-mark .i');
    await mark.scrollIntoViewIfNeeded();
    const { x, y } = (await mark.boundingBox()) ?? { x: 0, y: 0 };
    await ana.mouse.move(x + 5, y + 5);
    await ana.mouse.down();
    await ana.mouse.move(x + 65, y + 5, { steps: 5 });
    await ana.mouse.up();
    await eventually(async () => expect(await ana.getByRole('checkbox', { name: /^Tag the selected region, General/ }).isChecked()).toBe(true));

    await ana.getByRole('button', { name: 'Add todo' }).click();
    await button('Pause').waitFor();
    await button('Pause').click();
    const todo = ana.getByRole('article', { name: 'Todo by Ana Reis' });
    await todo.getByRole('button', { name: /^General, / }).click();
    await playerOf(ana).getByRole('group', { name: 'Region: Softer here' }).waitFor();
    expect(await todo.getAttribute('aria-current')).toBe('true');
    await openComments(ana);
    await threadOf(ana).getByRole('button', { name: '1 Reply' }).click();
  }),
);

test(
  'when one user’s process is killed, both continue without a reload',
  withScreenshots(async () => {
    expect(consoleErrors()).toEqual([]);
    await site.killFirst();
    await sendComment(ana, 'Still here');
    const remaining = ['content removed...', 'Two dB down in the next one'];
    await expectComments(bob, ['Still here', ...remaining]);
    await sendComment(bob, 'So am I');
    for (const page of [ana, bob]) await expectComments(page, ['So am I', 'Still here', ...remaining]);
    for (const page of [ana, bob]) await page.getByText('2 here now').waitFor();
    expect(await bob.evaluate(() => 'neverReloaded' in window)).toBe(true);
  }),
);

test(
  'a user who leaves is no longer shown as present',
  withScreenshots(async () => {
    await bob.close();
    await ana.getByText('1 here now').waitFor();
    expect(await ana.getByRole('list', { name: 'People in this project' }).getByText(bobs.lastName).count()).toBe(1);
  }),
);

test('no page logged an error to its console, except for the killed process', () => expect(consoleErrors(...serverDownErrors)).toEqual([]));
