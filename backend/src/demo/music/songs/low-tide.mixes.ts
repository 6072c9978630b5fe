import type { Mix, MixName } from '../score/song.js';

const strips: Mix['strips'] = {
  kick: { level: -5 },
  snare: { level: -2, room: 0.2 },
  hats: { level: -10, pan: 0.25 },
  cymbals: { level: -11, pan: -0.2, room: 0.2 },
  toms: { level: -12, room: 0.3 },
  bass: { level: -8, duck: 0.25 },
  pad: { level: -12, room: 0.4 },
  keys: { level: -10, pan: 0.15, room: 0.25 },
  guitar: { level: -3, room: 0.25 },
  lead: { level: -6, room: 0.22, echo: 0.12 },
  doubles: { level: -9, room: 0.4 },
};

export const lowTideMixes: Record<MixName, Mix> = {
  '1.0': {
    strips: {
      ...strips,
      bass: { level: -11 },
      pad: { level: -18 },
      lead: { level: -9, room: 0.05 },
      doubles: { level: -9 },
      guitar: { level: -2 },
    },
    room: { decay: 0.5, damping: 0.7, level: -14 },
    echo: { seconds: 0.357, feedback: 0.2, level: -30 },
    master: { loudness: -22, lowShelf: 0, highShelf: -1.5, drive: 0, squeeze: 1.2, width: 0.6 },
  },
  '1.1': {
    strips: { ...strips, bass: { level: -3.5, duck: 0 }, lead: { level: -7, room: 0.4, echo: 0.2 } },
    room: { decay: 2.6, damping: 0.45, level: -3 },
    echo: { seconds: 0.536, feedback: 0.35, level: -6 },
    master: { loudness: -16.5, lowShelf: 1.5, highShelf: 0, drive: 0.2, squeeze: 1.6, width: 1 },
  },
  '2.0': {
    strips: { ...strips, bass: { level: -8, duck: 0.45 }, lead: { level: -3.5, room: 0.16, echo: 0.16 } },
    room: { decay: 1.5, damping: 0.35, level: -8 },
    echo: { seconds: 0.536, feedback: 0.3, level: -9 },
    master: { loudness: -10.5, lowShelf: 0.5, highShelf: 2.5, drive: 0.6, squeeze: 2.4, width: 1.1 },
  },
};
