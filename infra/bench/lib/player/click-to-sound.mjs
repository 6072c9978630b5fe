import { median } from '../backends.mjs';
import { playButton } from './playing.mjs';
import { openPlayer, projectOf } from './projects.mjs';
import { noise, wavOf } from './signals.mjs';
import { recordedPage } from './studio.mjs';

const ROUNDS = 7;
const SECONDS = 60;

/** A page with a media element and a button. Its output passes through Web Audio only to be recorded, in a context that runs before the click. */
const barePage = (url) => `<!doctype html><title>Bare</title><button>Play</button><script>
  const element = new Audio();
  element.preload = 'none';
  element.src = ${JSON.stringify(url)};
  const context = new AudioContext();
  context.createMediaElementSource(element).connect(context.destination);
  document.querySelector('button').addEventListener('click', () => (element.paused ? element.play() : element.pause()));
</script>`;

async function openBare(studio, url) {
  const page = await recordedPage(studio);
  await page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body: barePage(url) }));
  await page.goto(`${studio.who.url}/bare`);
  await page.evaluate(() => window.recorder.isReady());
  return page;
}

/** Milliseconds from pressing a button to the first sample that is not silent. */
export async function pressToSound(page, button) {
  await page.evaluate(() => {
    window.recorder.awaitSound();
    window.addEventListener('pointerdown', ({ timeStamp }) => (window.pressedAt = timeStamp), { capture: true, once: true });
  });
  await button.click();
  return page.evaluate(async () => (await window.recorder.sound()) - window.pressedAt);
}

async function oneRound(page, button, pause) {
  const cold = await pressToSound(page, button);
  await pause.click();
  await page.waitForFunction(() => window.recorder.isSilent());
  const warm = await pressToSound(page, button);
  await page.context().close();
  return { cold, warm };
}

/** Click to sound beside a bare element, in interleaved rounds with a browser context each: cold is the first play, warm the next. */
export async function clickToSound(studio) {
  const { projectId, versions } = await projectOf(studio, [wavOf(noise(SECONDS, 5), noise(SECONDS, 6))]);
  const [player, bare] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await openPlayer(studio, projectId);
    await page.waitForLoadState('networkidle');
    player.push(await oneRound(page, playButton(page), page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Pause', exact: true })));
    const other = await openBare(studio, `/api/media/${versions[0]._id}/audio`);
    bare.push(await oneRound(other, other.getByRole('button'), other.getByRole('button')));
  }
  const rows = ['cold', 'warm'].map((which) => {
    const [ours, theirs] = [player, bare].map((rounds) => median(rounds.map((round) => round[which])));
    return { which, 'player ms': ours.toFixed(0), 'bare element ms': theirs.toFixed(0), ratio: (ours / theirs).toFixed(2) };
  });
  console.table(rows);
  console.log(`medians of ${ROUNDS} interleaved rounds`);
}
