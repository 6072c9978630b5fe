import { CommandBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AddUserBody } from '@roughmix/contracts/users/user.api.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Sweeper } from '../media/sweeper.js';
import { UploadRights } from '../media/upload-rights.js';
import { systemClock } from '../platform/clock.js';
import { parseBody } from '../platform/http/body.js';
import type { Platform } from '../platform/platform.js';
import { Accounts } from '../users/accounts.js';
import { AddUser } from '../users/users.commands.js';
import { isUntouched, versionsAdded, whenAnalysed } from './demo-log.js';
import { readDemoMarker, writeDemoMarker } from './demo-marker.js';
import { DemoMusic } from './demo-music.js';
import { type DemoSong, demoSongs } from './music/demo-songs.js';
import { DEMO_PASSWORD, demoPeople, demoWelcome, type PersonName } from './story/people.js';
import { stories } from './story/stories.js';
import { type BringsVersion, type Happening, millisecondsOf, type ProjectStory } from './story/story.js';
import { type Stage, Storyteller, versionCommandId } from './storyteller.js';

const ANALYSIS_MS = 60_000;
const SAVED_MS = 5_000;
/** How many versions lie between two lines of progress. */
const SAY_EACH = 3;

const NOT_EMPTY = 'The data folder is in use already, so the demo stays out of it: name an empty one by DATA_DIR.';

export interface DemoOptions {
  /** The length of each version at most, in seconds; the whole songs when missing. */
  readonly seconds?: number;
  /** Hears of the progress; standard output when missing. */
  readonly say?: (line: string) => void;
}

/** One step of all the stories together. */
interface Step {
  readonly before: number;
  readonly run: () => Promise<void>;
}

/**
 * Fills an empty data folder with people, projects, music and talk, by the commands that the page sends; completes what an interrupted start began.
 * Does nothing where the demo is, or anything else.
 * @returns lines to print: as whom to sign in, or that the folder is not empty
 */
export async function seedDemo(app: NestFastifyApplication, platform: Platform, options: DemoOptions = {}): Promise<readonly string[]> {
  const { vault, eventStore } = platform;
  const marker = await readDemoMarker(vault);
  if (marker?.state === 'made') return demoWelcome;
  if (marker === null && !(await isUntouched(eventStore))) return [NOT_EMPTY];
  const startedAt = marker?.startedAt ?? systemClock();
  if (marker === null) await writeDemoMarker(vault, { state: 'making', startedAt });
  // What an interrupted start left may be swept away; better now than while the story goes on.
  await app.get(Sweeper).sweep();
  const uids = await registerPeople(app);
  const { seconds = Number.POSITIVE_INFINITY, say = (line) => void process.stdout.write(`${line}\n`) } = options;
  const versionsThere = await versionsAdded(eventStore);
  const music = new DemoMusic(orders(versionsThere, seconds));
  try {
    const onVersion = progress(say);
    const parts = { commands: app.get(CommandBus), rights: app.get(UploadRights), uploads: platform.uploads, blobs: platform.blobs };
    const versionIds = await tellAll({ ...parts, music, uids, startedAt, seconds, versionsThere, onVersion });
    await waitForWaveforms(platform, versionIds, say);
  } finally {
    await music.close();
  }
  await writeDemoMarker(vault, { state: 'made', startedAt });
  return demoWelcome;
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

const isVersion = (happening: Happening): happening is BringsVersion => 'brings' in happening;
const oldestFirst = (one: Step, other: Step): number => other.before - one.before;

/** The music that is still missing, in the order in which the stories need it. */
const orders = (versionsThere: ReadonlyMap<string, Id>, seconds: number): ConstructorParameters<typeof DemoMusic>[0] =>
  stories
    .flatMap(({ song, happenings }) => happenings.filter(isVersion).map(({ ago, brings }) => ({ song, mix: brings, seconds, before: millisecondsOf(ago) })))
    .filter(({ song, mix }) => !versionsThere.has(versionCommandId(song, mix)))
    .toSorted((one, other) => other.before - one.before)
    .map(({ song, mix }) => ({ song, mix, seconds }));

const VERSIONS = stories.reduce((sum, { happenings }) => sum + happenings.filter(isVersion).length, 0);

function progress(say: (line: string) => void): () => void {
  let made = 0;
  return () => {
    made += 1;
    if (made % SAY_EACH === 0) say(`Making the demo music: ${made} of ${VERSIONS}`);
  };
}

function songOf({ song }: ProjectStory): DemoSong {
  const found = demoSongs.find(({ name }) => name === song);
  if (found === undefined) throw new Error(`no song is called ${song}`);
  return found;
}

/** Tells all stories at once, oldest first, as they would have happened. */
async function tellAll(stage: Stage): Promise<readonly Id[]> {
  const tellers = stories.map((story) => ({ story, teller: new Storyteller(stage, story, songOf(story)) }));
  const steps = tellers.flatMap(({ story, teller }): readonly Step[] => [
    { before: millisecondsOf(story.ago), run: () => teller.begin() },
    ...story.happenings.map((happening) => ({ before: millisecondsOf(happening.ago), run: () => teller.tell(happening) })),
  ]);
  for (const { run } of steps.toSorted(oldestFirst)) await run();
  return tellers.flatMap(({ teller }) => teller.versionIds);
}

/** So that the first page that somebody opens shows waveforms; when it takes too long, they come by and by. */
async function waitForWaveforms(platform: Platform, versionIds: readonly Id[], say: (line: string) => void): Promise<void> {
  const position = await whenAnalysed(platform.eventStore, versionIds, ANALYSIS_MS);
  const isSaved = position !== null && (await platform.readSide.saved.waitFor(position, SAVED_MS));
  if (!isSaved) say('Some waveforms are still being drawn.');
}
