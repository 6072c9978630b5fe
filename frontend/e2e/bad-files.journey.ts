import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type AudioFile, badFile, cutOffFlac, hasMusic, madeWav } from './support/audio';
import { closeBrowser } from './support/browser';
import { complaints } from './support/complaints';
import { watchFor } from './support/in-passing';
import { eventually, pictured } from './support/journey';
import { addUser, enter } from './support/people';
import { playerOf } from './support/project-page';
import { type RunningServer, startServer } from './support/server';
import { makeProject } from './support/studio';

const notAudio = 'Needs to be an audio file';
const aiff = 'AIFF files are currently not supported. :/';
const empty = "Cloud files aren't allowed. Download locally first";
const over48 = 'Preview file must be smaller than 48 MB';
const over30 = 'Files must be smaller than 30 Mb';
const damaged = 'This file is damaged: it ends before its header says';

let server: RunningServer;
let page: Page;

beforeAll(async () => {
  server = await startServer();
  ({ page } = await enter(server, await addUser(server, 'Ana', 'Reis')));
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const words = Buffer.from('these are words and no song\n'.repeat(200));
const file = (name: string, mimeType: string, buffer = words): AudioFile => ({ name, mimeType, buffer });

/** What is refused before anything is sent. */
const refusedAtOnce: readonly (readonly [chosen: AudioFile, sentence: string])[] = [
  [file('lyrics.txt', 'text/plain'), notAudio],
  [file('old tape.aiff', 'audio/aiff'), aiff],
  [file('in the cloud.mp3', 'audio/mpeg', Buffer.alloc(0)), empty],
];

/** Every file below the data folder's blobs. */
async function blobs(): Promise<readonly string[]> {
  const entries = await readdir(join(server.dataFolder, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const choose = (dialog: Locator, chosen: AudioFile) => dialog.locator('input[type=file]').setInputFiles(chosen);

/** Chooses a WAV of this size that is made in the page, so that it need not travel there. */
async function chooseBig(dialog: Locator, size: number): Promise<void> {
  await dialog.locator('input[type=file]').evaluate((input, bytes) => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(bytes)], 'whole album.wav', { type: 'audio/wav' }));
    if (input instanceof HTMLInputElement) input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, size);
}

/** A file that is chosen so is refused with the sentence. */
async function expectRefused(dialog: Locator, sentence: string, chosen: () => Promise<void>): Promise<void> {
  const told = await watchFor(dialog, sentence);
  await chosen();
  await told.came();
}

/** The sentence stands at the file that is chosen so, and goes by itself after 3 s. */
async function expectBrief(dialog: Locator, sentence: string, chosen: () => Promise<void>): Promise<void> {
  const told = await watchFor(dialog, sentence);
  await chosen();
  const stood = await told.stood();
  expect(stood).toBeGreaterThan(2_000);
  expect(stood).toBeLessThan(15_000);
}

test(
  'a new project takes audio only, and what was begun can be taken back',
  pictured(async () => {
    const before = await blobs();
    await page.getByRole('button', { name: 'Add Project' }).click();
    const dialog = page.getByRole('dialog', { name: 'New Project' });
    await dialog.getByLabel('Title').fill('Doubtful');
    for (const [chosen, sentence] of refusedAtOnce) {
      await expectRefused(dialog, sentence, () => choose(dialog, chosen));
    }
    await expectBrief(dialog, over48, () => chooseBig(dialog, 48_000_000));

    await choose(dialog, file('lyrics.mp3', 'audio/mpeg'));
    await dialog.getByRole('button', { name: 'Create Project' }).click();
    await dialog.getByText(notAudio).waitFor();
    await dialog.getByRole('button', { name: 'Discard project' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Nothing here yet').waitFor();
    await page.reload();
    await page.getByText('Nothing here yet').waitFor();
    await eventually(async () => expect(await blobs()).toEqual(before));
  }),
);

/** Opens the window of a new version of this journey's project. */
async function newVersion(): Promise<Locator> {
  await page.getByRole('button', { name: 'New Version' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Version' });
  await dialog.getByLabel('Tiny summary').fill('Doubtful');
  return dialog;
}

test(
  'a new version says for 3 s what is wrong with a file, and refuses what only sounds like one',
  pictured(async () => {
    const { _id } = await makeProject(page, { title: 'Steady', song: madeWav('steady.wav', 4) });
    await page.goto(`/projects/${_id}`);
    await playerOf(page).getByText('of 0:04.0').first().waitFor();
    await page.getByText('True peak').waitFor();
    const before = await blobs();
    const dialog = await newVersion();
    await expectBrief(dialog, notAudio, () => choose(dialog, file('lyrics.txt', 'text/plain')));
    await expectRefused(dialog, aiff, () => choose(dialog, file('old tape.aiff', 'audio/aiff')));
    await expectRefused(dialog, empty, () => choose(dialog, file('in the cloud.mp3', 'audio/mpeg', Buffer.alloc(0))));
    await expectBrief(dialog, over30, () => chooseBig(dialog, 30 * 1024 * 1024 + 1));

    const lying: readonly (readonly [AudioFile, string])[] = [
      [file('lyrics.mp3', 'audio/mpeg'), notAudio],
      [{ ...madeWav('cut off.wav', 4), buffer: madeWav('cut off.wav', 4).buffer.subarray(0, 100_000) }, damaged],
      ...(hasMusic
        ? ([
            [badFile('zeros.ogg', 'audio/ogg'), notAudio],
            [badFile('truncated.mp3', 'audio/mpeg'), damaged],
          ] as const)
        : []),
    ];
    for (const [chosen, sentence] of lying) {
      await choose(dialog, chosen);
      await dialog.getByRole('button', { name: /^(Upload|Retry)$/ }).click();
      await dialog.getByText(chosen.name).waitFor();
      await dialog.getByText(sentence).waitFor();
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await eventually(async () => expect(await blobs()).toEqual(before));
    await page.reload();
    await playerOf(page).waitFor();
    expect(await page.getByRole('button', { name: /^Version 1\.0 Initial Version/ }).count()).toBe(1);
  }),
);

test(
  'a file that turns out to be damaged becomes a version that says why it does not play, and can go',
  pictured(async () => {
    const before = await blobs();
    const dialog = await newVersion();
    await choose(dialog, cutOffFlac());
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const why = page.getByRole('group', { name: 'This version cannot be played' }).first();
    await why.getByText(damaged).waitFor();
    await eventually(async () => expect(await blobs()).toEqual(before));

    await why.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog', { name: 'Remove 1.1?' }).getByRole('button', { name: 'Remove version' }).click();
    await page.getByRole('heading', { name: 'Version 1.0' }).waitFor();
    await why.waitFor({ state: 'hidden' });
  }),
);

test('no page complained in its console', () => {
  expect(complaints(/ 400 \(Bad Request\) \/api\/media(\/newProject)?$/)).toEqual([]);
});
