// Regenerates what the public pages show: the demo songs' waves, the faces of their people, the preview picture for links, and the icons.
// Usage: node infra/site-pictures.mjs   (after npm run build)
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sparticuz from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { renderSong } from '../backend/dist/demo/music/render-song.js';
import { createPeaksBuilder } from '../backend/dist/media/peaks-builder.js';
import { faceSvg } from '../backend/dist/users/face.js';
import { decodePeaks, PEAK_FULL_SCALE, VALUES_PER_CHANNEL } from '../contracts/dist/media/peaks.js';

const siteFolder = new URL('../frontend/public/site/', import.meta.url);
/** The level of the peaks: 0 is the coarsest. */
const [IN_LISTS, ON_WIDE_SCREENS] = [0, 1];
/** The mixes that are shown as a whole. */
const SONGS = [
  { song: 'low-tide', mix: '1.0' },
  { song: 'low-tide', mix: '1.1' },
  { song: 'low-tide', mix: '2.0' },
  { song: 'paper-moon', mix: '1.0' },
];
/** Seconds that the hero shows of Low Tide, as in features/front-door/landing/demonstration.ts. */
const HERO = { start: 24, end: 58, track: 72.17 };
const PEOPLE = ['ines', 'ravi', 'maud', 'sam'];
const ICON_SIZES = [180, 192, 512];
const CARD = { width: 1200, height: 630 };
const CARD_WAVE = { top: 330, height: 300 };

/** Merges both channels: largest peaks and RMS. */
function asOne({ columns, samplesPerColumn, values }) {
  const joined = new Int8Array(columns * VALUES_PER_CHANNEL);
  for (let column = 0; column < columns; column++) {
    const [low, high, power, otherLow, otherHigh, otherPower] = values.subarray(column * 6);
    joined.set([Math.min(low, otherLow), Math.max(high, otherHigh), Math.round(Math.hypot(power, otherPower) / Math.SQRT2)], column * VALUES_PER_CHANNEL);
  }
  return { channels: 1, samplesPerColumn, columns, values: joined };
}

function peaksOf(song, mix, level) {
  const builder = createPeaksBuilder(2);
  const { left, right } = renderSong(song, mix);
  builder.push([left, right]);
  return asOne(decodePeaks(builder.encode()[level]));
}

/** Some columns of peaks. */
function cut({ columns, values }, { start, end, track }) {
  const [first, last] = [start, end].map((seconds) => Math.round((seconds / track) * columns));
  return { columns: last - first, values: values.subarray(first * VALUES_PER_CHANNEL, last * VALUES_PER_CHANNEL) };
}

/** A layer of a wave as a mask that is stretched over its place: one step for each column, along its top and back along its bottom. */
function maskOf({ columns, values }, edgesOf) {
  const edges = Array.from({ length: columns }, (_, index) => edgesOf(...values.subarray(index * VALUES_PER_CHANNEL)));
  const top = edges.map(([, high]) => `V${PEAK_FULL_SCALE - high}h1`).join('');
  const bottom = edges.toReversed().map(([low]) => `V${PEAK_FULL_SCALE - low + 1}h-1`);
  const size = `0 0 ${columns} ${2 * PEAK_FULL_SCALE + 1}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${size}" preserveAspectRatio="none"><path d="M0 ${PEAK_FULL_SCALE}${top}${bottom.join('')}z"/></svg>\n`;
}

async function writeMasks(name, peaks) {
  const layers = {
    envelope: (low, high) => [low, high],
    body: (low, high, power) => [Math.max(low, -power), Math.min(high, power)],
  };
  for (const [layer, edgesOf] of Object.entries(layers)) await writeFile(new URL(`waves/${name}-${layer}.svg`, siteFolder), maskOf(peaks, edgesOf));
}

/** The wave as two paths, one column per pixel: envelope and body. */
function wavePaths({ columns, values }) {
  const middle = CARD_WAVE.top + CARD_WAVE.height / 2;
  const y = (value) => (middle - (value / PEAK_FULL_SCALE) * (CARD_WAVE.height / 2)).toFixed(1);
  const paths = ['', ''];
  for (let x = 0; x < CARD.width; x++) {
    const [low, high, power] = values.subarray(Math.floor((x / CARD.width) * columns) * VALUES_PER_CHANNEL);
    paths[0] += `M${x + 0.5} ${y(high)}V${y(low)}`;
    paths[1] += `M${x + 0.5} ${y(Math.min(high, power))}V${y(Math.max(low, -power))}`;
  }
  return paths;
}

const MARK = `<rect x="1" y="1" width="18" height="3.4" fill="#ffc83d"/><path d="M2 6.6v9M6 8.6v5M10 6.6v12.4M14 9.6v3.6M18 6.6v9" stroke="#eeece5" stroke-width="2" fill="none"/>`;

function cardPage(peaks, font) {
  const [envelope, body] = wavePaths(peaks);
  return `<!doctype html><style>
    @font-face { font-family: Archivo; src: url(data:font/woff2;base64,${font}); font-weight: 100 900; font-stretch: 62% 125%; }
    body { margin: 0; width: ${CARD.width}px; height: ${CARD.height}px; position: relative; background: #131312; color: #eeece5; font-family: Archivo; }
    h1 { position: absolute; left: 64px; top: 120px; margin: 0; font: 620 76px/0.98 Archivo; font-stretch: 112%; letter-spacing: -0.032em; }
    .logo { position: absolute; left: 64px; top: 48px; display: flex; gap: 14px; align-items: center; font: 700 32px/1 Archivo; font-stretch: 116%; }
    .well { position: absolute; left: 0; right: 0; top: ${CARD_WAVE.top}px; bottom: 0; background: #0c0c0b; border-top: 1px solid #2d2d29; }
    svg.wave { position: absolute; inset: 0; }
  </style>
  <div class="well"></div>
  <svg class="wave" viewBox="0 0 ${CARD.width} ${CARD.height}"><path d="${envelope}" stroke="#55534c"/><path d="${body}" stroke="#a19e93"/>
    <clipPath id="played"><rect width="504" height="${CARD.height}"/></clipPath>
    <g clip-path="url(#played)"><path d="${envelope}" stroke="#96938a"/><path d="${body}" stroke="#f4f2ec"/></g><rect x="503" y="${CARD_WAVE.top}" width="3" height="300" fill="#ffc83d"/></svg>
  <div class="logo"><svg width="36" height="36" viewBox="0 0 20 20">${MARK}</svg>Roughmix</div>
  <h1>Your rough mix has<br>something to say.</h1>`;
}

/** The mark on the desk's colour, small enough for round and square masks. */
const iconPage = (size) =>
  `<!doctype html><style>body { margin: 0; background: #131312; }</style><svg width="${size}" height="${size}" viewBox="-6 -6 32 32">${MARK}</svg>`;

async function drawPictures(peaks) {
  const font = await readFile(new URL('../node_modules/@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2', import.meta.url), 'base64');
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? (await sparticuz.executablePath()),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    const draw = async (html, viewport, name) => {
      await page.setViewportSize(viewport);
      await page.setContent(html);
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: fileURLToPath(new URL(name, siteFolder)) });
    };
    await draw(cardPage(peaks, font), CARD, 'card.png');
    for (const size of ICON_SIZES) await draw(iconPage(size), { width: size, height: size }, `icon-${size}.png`);
  } finally {
    await browser.close();
  }
}

for (const folder of ['faces/', 'waves/']) await mkdir(new URL(folder, siteFolder), { recursive: true });
for (const { song, mix } of SONGS) await writeMasks(`${song}-${mix}`, peaksOf(song, mix, IN_LISTS));
for (const name of PEOPLE) await writeFile(new URL(`faces/${name}.svg`, siteFolder), `${faceSvg(name)}\n`);
const lowTide = peaksOf('low-tide', '2.0', ON_WIDE_SCREENS);
await writeMasks('low-tide-2.0-hero', cut(lowTide, HERO));
await drawPictures(lowTide);
