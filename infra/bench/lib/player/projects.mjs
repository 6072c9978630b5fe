// Projects to record, opened on pages of their own.
import { addVersion, aProject, pageOf, reactorsDone } from '../../../faults/lib/studio.mjs';
import { playButton } from './playing.mjs';
import { samplesOf } from './recorder.mjs';
import { recordedPage } from './studio.mjs';

/** A project whose versions are these files. @returns {Promise<{ projectId: string, versions: { _id: string }[] }>} oldest first */
export async function projectOf({ who }, files) {
  // A recording can outlast the server's keep-alive, so connections may have been closed.
  who.close();
  const [first, ...others] = files.map((file) => (Buffer.isBuffer(file) ? { wav: file } : file));
  const { projectId } = await aProject(who, first);
  for (const file of others) await addVersion(who, projectId, file);
  await reactorsDone(who);
  const { versions } = await pageOf(who, projectId);
  return { projectId, versions: versions.toSorted((one, other) => one.position - other.position) };
}

/** Opens a project on a new page, ready to play its newest version. */
export async function openPlayer(studio, projectId, { query = '' } = {}) {
  const page = await recordedPage(studio);
  await page.goto(`${studio.who.url}/projects/${projectId}${query}`);
  await playButton(page).waitFor();
  return page;
}

/** What Chromium decodes of a version, at the rate at which the page plays. */
export async function decodedAudio(studio, versionId) {
  const page = await recordedPage(studio);
  await page.goto(`${studio.who.url}/login`);
  const [left, right] = await page.evaluate(async (url) => {
    const context = new AudioContext();
    const audio = await context.decodeAudioData(await (await fetch(url)).arrayBuffer());
    return Promise.all([0, audio.numberOfChannels - 1].map((channel) => window.recorder.base64(audio.getChannelData(channel))));
  }, `/api/media/${versionId}/audio`);
  await page.context().close();
  return { left: samplesOf(left), right: samplesOf(right) };
}
