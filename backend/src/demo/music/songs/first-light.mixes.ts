import type { Song } from '../score/song.js';

/** The two mixes differ audibly in voice, bass and room, so that a comparison has something to find. */
export const firstLightMixes: Song['mixes'] = {
  '1.0': {
    strips: {
      kick: { level: -7 },
      snare: { level: -4 },
      hats: { level: -8 },
      cymbals: { level: -9 },
      bass: { level: -3 },
      keys: { level: -9 },
      guitar: { level: -9 },
      lead: { level: -12, room: 0.05 },
    },
    room: { decay: 0.5, damping: 0.7, level: -14 },
    echo: { seconds: 0.3, feedback: 0, level: -40 },
    master: { loudness: -20, lowShelf: 1.5, highShelf: -3, drive: 0, squeeze: 1.2, width: 0.4 },
  },
  '1.1': {
    strips: {
      kick: { level: -5 },
      snare: { level: -3, room: 0.2 },
      hats: { level: -9, pan: 0.25 },
      cymbals: { level: -12, pan: -0.2, room: 0.2 },
      bass: { level: -9, duck: 0.35 },
      keys: { level: -8, room: 0.25 },
      guitar: { level: -3, room: 0.25 },
      lead: { level: -5, room: 0.22, echo: 0.16 },
    },
    room: { decay: 1.6, damping: 0.4, level: -7 },
    echo: { seconds: 0.45, feedback: 0.25, level: -9 },
    master: { loudness: -14, lowShelf: 0, highShelf: 2, drive: 0.4, squeeze: 1.8, width: 1 },
  },
};
