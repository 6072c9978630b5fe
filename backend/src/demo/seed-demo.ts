import { CommandBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NewCollectionBody } from '@roughmix/contracts/collections/collection.api.js';
import { AddUserBody } from '@roughmix/contracts/users/user.api.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { AddCollection } from '../collections/collections.commands.js';
import { Sweeper } from '../media/sweeper.js';
import { UploadRights } from '../media/upload-rights.js';
import { systemClock } from '../platform/clock.js';
import { parseBody } from '../platform/http/body.js';
import type { Platform } from '../platform/platform.js';
import { ReactorRole } from '../platform/reactors/reactor-role.js';
import { Accounts } from '../users/accounts.js';
import { AddUser } from '../users/users.commands.js';
import { isUntouched, versionsAdded, waitUntilAnalysed } from './demo-log.js';
import { readDemoMarker, writeDemoMarker } from './demo-marker.js';
import { type DemoSong, demoSongs } from './music/demo-songs.js';
import { Rendering } from './music/rendering.js';
import { demoCollections } from './story/collections.js';
import { DEMO_PASSWORD, demoPeople, demoWelcome, type PersonName } from './story/people.js';
import { stories } from './story/stories.js';
import { type BringsVersion, type StoryEvent, millisecondsOf, type ProjectStory } from './story/story.js';
import { type StoryContext, StoryRunner, versionCommandId } from './story-runner.js';

const ANALYSIS_MS = 60_000;
const SAVED_MS = 5_000;
/** The number of versions between two progress lines. */
const PROGRESS_EVERY = 3;

const NOT_EMPTY = 'The data folder is in use, so no demo was created: set DATA_DIR to an empty folder.';

export interface DemoOptions {
  /** Maximum length of each version in seconds; the whole song if missing. */
  readonly seconds?: number;
  /** Receives the progress lines; standard output if missing. */
  readonly say?: (line: string) => void;
}

/** One step of one of the stories. */
interface Step {
  readonly before: number;
  readonly run: () => Promise<void>;
}

/**
 * Fills an empty data folder with users, projects, music and comments, by the commands that the page sends; completes an interrupted start.
 * Does nothing if the demo or any other data exists.
 * @returns lines to print: the accounts to sign in with, or that the folder is not empty
 */
export async function seedDemo(app: NestFastifyApplication, platform: Platform, options: DemoOptions = {}): Promise<readonly string[]> {
  const { vault, eventStore } = platform;
  const marker = await readDemoMarker(vault);
  if (marker?.state === 'made') return demoWelcome;
  if (marker === null && !(await isUntouched(eventStore))) return [NOT_EMPTY];
  const startedAt = marker?.startedAt ?? systemClock();
  if (marker === null) await writeDemoMarker(vault, { state: 'making', startedAt });
  // An expired project of an interrupted start would be swept anyway; do it now, not in the middle of the story.
  await app.get(Sweeper).sweep();
  const uids = await registerPeople(app);
  const { seconds = Number.POSITIVE_INFINITY, say = (line) => void process.stdout.write(`${line}\n`) } = options;
  const existingVersions = await versionsAdded(eventStore);
  const music = new Rendering(orders(existingVersions, seconds));
  try {
    const onVersion = progress(say);
    const parts = { commands: app.get(CommandBus), rights: app.get(UploadRights), uploads: platform.uploads, blobs: platform.blobs };
    const versionIds = await whilePaused(app.get(ReactorRole), () => runAll({ ...parts, music, uids, startedAt, seconds, existingVersions, onVersion }));
    await waitForWaveforms(platform, versionIds, say);
  } finally {
    await music.close();
  }
  await writeDemoMarker(vault, { state: 'made', startedAt });
  return demoWelcome;
}

/** Reactions happen now, and no event of a stream is earlier than the one before it: reacted to at once, the rest of a story would happen now. */
async function whilePaused<Result>(reactors: ReactorRole, work: () => Promise<Result>): Promise<Result> {
  const resume = await reactors.pause();
  try {
    return await work();
  } finally {
    await resume();
  }
}

async function registerPeople(app: NestFastifyApplication): Promise<ReadonlyMap<PersonName, Uid>> {
  const [accounts, commands] = [app.get(Accounts), app.get(CommandBus)];
  const uids = new Map<PersonName, Uid>();
  for (const { name, firstName, lastName, email } of demoPeople) {
    const known = await accounts.registered(email);
    const body = parseBody(AddUserBody, { email, password: DEMO_PASSWORD, firstName, lastName, username: name });
    uids.set(name, known?.uid ?? (await commands.execute(new AddUser(body))).body.user.uid);
  }
  return uids;
}

const isVersion = (event: StoryEvent): event is BringsVersion => 'brings' in event;
const oldestFirst = (one: Step, other: Step): number => other.before - one.before;

/** The missing music, in the order in which the stories need it. */
const orders = (existingVersions: ReadonlyMap<string, Id>, seconds: number): ConstructorParameters<typeof Rendering>[0] =>
  stories
    .flatMap(({ song, events }) => events.filter(isVersion).map(({ ago, brings }) => ({ song, mix: brings, seconds, before: millisecondsOf(ago) })))
    .filter(({ song, mix }) => !existingVersions.has(versionCommandId(song, mix)))
    .toSorted((one, other) => other.before - one.before)
    .map(({ song, mix }) => ({ song, mix, seconds }));

const VERSIONS = stories.reduce((sum, { events }) => sum + events.filter(isVersion).length, 0);

function progress(say: (line: string) => void): () => void {
  let made = 0;
  return () => {
    made += 1;
    if (made % PROGRESS_EVERY === 0) say(`Making the demo music: ${made} of ${VERSIONS}`);
  };
}

function songOf({ song }: ProjectStory): DemoSong {
  const found = demoSongs.find(({ name }) => name === song);
  if (found === undefined) throw new Error(`no song is called ${song}`);
  return found;
}

/** Runs the steps of all stories in chronological order. */
async function runAll(shared: StoryContext): Promise<readonly Id[]> {
  const runners = stories.map((story) => ({ story, runner: new StoryRunner(shared, story, songOf(story)) }));
  const steps = runners.flatMap(({ story, runner }): readonly Step[] => [
    { before: millisecondsOf(story.ago), run: () => runner.begin() },
    ...story.events.map((event) => ({ before: millisecondsOf(event.ago), run: () => runner.run(event) })),
  ]);
  for (const { run } of steps.toSorted(oldestFirst)) await run();
  await addCollections(shared, runners);
  return runners.flatMap(({ runner }) => runner.versionIds);
}

async function addCollections({ commands, uids, startedAt }: StoryContext, runners: readonly { story: ProjectStory; runner: StoryRunner }[]): Promise<void> {
  for (const { owner, ago, title, songs } of demoCollections) {
    const projects = runners.flatMap(({ story, runner }) => (songs.includes(story.song) ? [runner.projectId] : []));
    const body = parseBody(NewCollectionBody, { submission: { title, projects } });
    const uid = uids.get(owner) ?? '';
    const commandId = `demo-collection-${owner}-${title}`;
    const context = { actor: { uid }, at: startedAt - millisecondsOf(ago), commandId, correlationId: 'demo', causationId: null };
    await commands.execute(new AddCollection(context, uid, body));
  }
}

/** Waits, so that the first opened page has waveforms; after the timeout they appear later. */
async function waitForWaveforms(platform: Platform, versionIds: readonly Id[], say: (line: string) => void): Promise<void> {
  const position = await waitUntilAnalysed(platform.eventStore, versionIds, ANALYSIS_MS);
  const isSaved = position !== null && (await platform.readSide.saved.waitFor(position, SAVED_MS));
  if (!isSaved) say('Some waveforms are still being drawn.');
}
