// Recordings of the player in Chromium, sample by sample, through the real program. Each part prints its figures beside their bars.
// Usage: node infra/bench/player.mjs [parts…] [--turns 60] (build first; all parts without a name; 600 turns take 10 minutes)
import { parseArgs } from 'node:util';
import { clickToSound } from './lib/player/click-to-sound.mjs';
import { handover } from './lib/player/handover.mjs';
import { loops } from './lib/player/loops.mjs';
import { memory } from './lib/player/memory.mjs';
import { meter } from './lib/player/meter.mjs';
import { pitchAndTempo } from './lib/player/pitch-and-tempo.mjs';
import { inStudio } from './lib/studio.mjs';
import { matching, switching } from './lib/player/switching.mjs';
import { encoders, timeZero } from './lib/player/time-zero.mjs';

const PARTS = {
  'time-zero': timeZero,
  encoders,
  'pitch-and-tempo': pitchAndTempo,
  loops,
  switching,
  matching,
  handover,
  meter,
  'click-to-sound': clickToSound,
  memory,
};

const { positionals, values } = parseArgs({ allowPositionals: true, options: { turns: { type: 'string', default: '60' } } });
const wanted = positionals.length === 0 ? Object.keys(PARTS) : positionals;
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0) throw new Error(`no part ${unknown.join(', ')}: there are ${Object.keys(PARTS).join(', ')}`);
await inStudio(async (studio) => {
  for (const name of wanted) {
    console.log(`\n${name}`);
    await PARTS[name](studio, { turns: Number(values.turns) });
  }
});
