// What infra/try-image.sh asks of the running image: node infra/try-image.mjs URL first|'after …' STATE
import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from './faults/lib/client.mjs';
import { aProject, pageOf, person, reactorsDone, signIn, untilReady } from './faults/lib/studio.mjs';

const [url, when, state] = process.argv.slice(2);

/** The page, and a project with a version that the image analyses. */
async function first() {
  for (const path of ['/', '/favicon.svg', '/robots.txt']) {
    const { status } = await new Client(url).call('GET', path);
    if (status !== 200) throw new Error(`${path} was answered ${status}`);
  }
  const owner = await person(url, 'Ona');
  const { projectId } = await aProject(owner);
  await reactorsDone(owner);
  writeFileSync(state, JSON.stringify({ email: owner.email, projectId }));
}

await untilReady({ url });
if (when === 'first') await first();
const { email, projectId } = JSON.parse(readFileSync(state, 'utf8'));
const { versions } = await pageOf(await signIn(url, email), projectId);
const states = versions.map((version) => version.state).join();
if (states !== 'ready') throw new Error(`the versions are: ${states || 'none'}`);
process.stdout.write(`${when}: the page answers, the version is ready\n`);
process.exit(0);
