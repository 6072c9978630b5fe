// Promise: a log of every event shape ever stored opens in the new program; an unknown event is parked, not fatal
// Breaks: a log with one sample of each shape, and an event of an unknown type
// Gate: backend/src/testing/history.spec.ts "every projector accepts every sample"
// Gate: backend/src/platform/projections/projection-runner.spec.ts "of an unknown type parks its stream, and the rest continues"
import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { masterKeyFrom } from '../../backend/dist/platform/auth/secrets.js';
import { checkMasterKey } from '../../backend/dist/platform/auth/vault-keys.js';
import { DataKeys } from '../../backend/dist/platform/personal-data/data-keys.js';
import { EmbeddedEventStore } from '../../backend/dist/platform/event-store/embedded-event-store.js';
import { FieldSealer } from '../../backend/dist/platform/personal-data/field-sealer.js';
import { EmbeddedVault } from '../../backend/dist/platform/vault/embedded-vault.js';
import { slices } from '../../backend/dist/slices.js';
import { MASTER_KEY, startProgram } from './lib/program.mjs';
import { compareReadModels, projectionsOf, quiet, readModels, stopQuietly } from './lib/read-models.mjs';
import { aProject, pageOf, person } from './lib/studio.mjs';
import { appendNext } from '../../backend/dist/testing/append-next.js';

const FROM_THE_FUTURE = 'project-from-the-future';

/** Writes a log with one sample of every event shape ever stored, and an event of an unknown type. @returns how many events */
async function writeOldLog(folder) {
  await mkdir(folder, { recursive: true });
  const samples = JSON.parse(await readFile('backend/src/testing/history.json', 'utf8'));
  const vault = await EmbeddedVault.open({ file: join(folder, 'vault.db') });
  const log = await EmbeddedEventStore.open({ file: join(folder, 'log.db') });
  const master = masterKeyFrom(MASTER_KEY);
  await checkMasterKey(vault, master);
  const sealer = new FieldSealer(slices.fieldClasses, await DataKeys.open(vault, master));
  for (const [type, { stream, meta, data }] of Object.entries(samples)) {
    await appendNext(log, stream, [await sealer.seal(stream, { id: randomUUID(), type, data, meta })]);
  }
  const { meta } = Object.values(samples)[0];
  await appendNext(log, FROM_THE_FUTURE, [{ id: randomUUID(), type: 'ProjectDreamtOf', data: { where: 'elsewhere' }, meta }]);
  await log.close();
  await vault.close();
  return Object.keys(samples).length + 1;
}

export const fault = {
  name: 'old-log',
  async run({ folder, wrong, count }) {
    const data = join(folder, 'data');
    const events = await writeOldLog(data);
    let program = await startProgram({ folder: data });
    await quiet(program);
    for (const { projector, parkedStreams } of await projectionsOf(program)) {
      const parked = parkedStreams.map(({ stream, position, reason }) => `${stream} at ${position}: ${reason}`).join(', ');
      if (parked !== `${FROM_THE_FUTURE} at ${events}: unknown-type`) wrong(`${projector} has parked ${parked}`);
    }
    const owner = await person(program.url, 'Nora');
    const { projectId } = await aProject(owner, { projectName: 'After all these years' });
    if ((await pageOf(owner, projectId)).versions.length !== 1) wrong('a new project does not show its version');
    await stopQuietly(program, wrong);
    count('old events', events);
    const { documents } = readModels(data);
    if (documents.size === 0) wrong('the old log produced no documents');
    count('documents compared', await compareReadModels({ folder: data, scratch: join(folder, 'rebuilt'), wrong }));
    program = await startProgram({ folder: data });
    await stopQuietly(program, wrong);
  },
};
