// Creates a project of any length by real commands, directly on the stores of a stopped program.
import { pino } from 'pino';
import { idFrom } from '../../../backend/dist/platform/ids.js';
import { readConfig } from '../../../backend/dist/platform/config/config.js';
import { openPlatform } from '../../../backend/dist/platform/platform.js';
import { Snapshots } from '../../../backend/dist/platform/streams/snapshots.js';
import { StreamFolds } from '../../../backend/dist/platform/streams/stream-folds.js';
import { projectDecider } from '../../../backend/dist/projects/project.decider.js';
import { slices } from '../../../backend/dist/slices.js';
import { ADMIN_KEY, MASTER_KEY } from './program.mjs';
import { between, oneOf } from './seeded.mjs';

const TAGS = ['general', 'mix'];
const MARKS = { taggedRegions: [], stamp: null };
const WORDS = 'The doubles drag behind the beat, listen at the chorus and tell me';

/** Gives `use` the stores of a stopped program. */
export async function withStores(folder, use) {
  const config = readConfig({ DATA_DIR: folder, MASTER_KEY, ADMIN_KEY });
  const platform = await openPlatform(config, slices, pino({ level: 'warn' }, process.stderr));
  try {
    return await use(platform);
  } finally {
    await platform.close();
  }
}

/** A random next command, and what to remember once it is done. */
function nextCommand(random, { comments, regions, versionId, at, projectId, uid }) {
  const kind = random();
  const words = { content: `${WORDS} ${at}`, taggedUsers: [] };
  const id = idFrom(projectId, String(at));
  if (kind < 0.3 || comments.length < 3)
    return {
      command: { type: 'AddComment', data: { commentId: id, kind: 'text', ...words, versionId: null, marks: MARKS } },
      done: () => comments.push({ id, uid }),
    };
  const { id: commentId, uid: author } = oneOf(random, comments);
  if (kind < 0.55) return { command: { type: 'ReplyToComment', data: { commentId: id, parentCommentId: commentId, ...words, versionId: null, marks: MARKS } } };
  if (kind < 0.7) return { command: { type: 'RateComment', data: { commentId, type: oneOf(random, ['likes', 'negs']), on: true } } };
  if (kind < 0.82) return { by: author, command: { type: 'EditComment', data: { commentId, ...words } } };
  if (kind < 0.88 || regions.length < 3) {
    const span = { start: between(random, 0, 400) / 1_000, end: between(random, 500, 1_000) / 1_000, tag: oneOf(random, TAGS), label: `Take ${at}` };
    return { command: { type: 'AddRegion', data: { regionId: id, versionId, span } }, done: () => regions.push({ id, uid }) };
  }
  const region = oneOf(random, regions);
  if (kind < 0.93)
    return { by: region.uid, command: { type: 'EditRegion', data: { regionId: region.id, change: { start: between(random, 0, 400) / 1_000 } } } };
  if (kind < 0.96)
    return {
      by: author,
      command: { type: 'RemoveComment', data: { commentId } },
      done: () =>
        comments.splice(
          comments.findIndex((each) => each.id === commentId),
          1,
        ),
    };
  return { by: region.uid, command: { type: 'RemoveRegion', data: { regionId: region.id } }, done: () => regions.splice(regions.indexOf(region), 1) };
}

/** Runs commands on a project until its stream has `length` events. */
export async function growProject({ streams }, { projectId, versionId, uids, length, random }) {
  const stream = `project-${projectId}`;
  const known = { comments: [], regions: [], versionId, projectId };
  for (let at = 0, revision = 0; revision < length - 1; at += 1) {
    const uid = oneOf(random, uids);
    const { command, by = uid, done } = nextCommand(random, { ...known, at, uid });
    const commandId = `grown-${at}`;
    const context = { actor: { uid: by }, at: 1_700_000_000_000 + at, commandId, request: commandId, correlationId: commandId, causationId: null };
    try {
      const { events } = await streams.execute(projectDecider, stream, command, context);
      revision = events.at(-1)?.revision ?? revision;
      done?.();
    } catch (error) {
      // Users may not rate their own comments; the next command will differ.
      if (error.name !== 'Refused') throw error;
    }
  }
}

/** A project's fold from its snapshot, if there is one, and from its first event. */
export async function foldBothWays({ eventStore, documents, opened, log }, projectId) {
  const stream = `project-${projectId}`;
  const snapshots = await Snapshots.open(documents, eventStore.identity, log);
  const kept = await snapshots.load(projectDecider, stream);
  const fromSnapshot = await new StreamFolds(eventStore, opened, snapshots).current(projectDecider, stream);
  const fromStart = await new StreamFolds(eventStore, opened).current(projectDecider, stream);
  await snapshots.close();
  return { keptAt: kept?.revision ?? null, fromSnapshot, fromStart };
}
