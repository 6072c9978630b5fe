import type { Mix, MixName } from '../score/song.js';

const strips: Mix['strips'] = {
  kick: { level: -4 },
  snare: { level: -10, room: 0.2 },
  hats: { level: -21, pan: 0.25, lowCut: 3000 },
  cymbals: { level: -17, pan: -0.2, room: 0.2 },
  toms: { level: -8, room: 0.3 },
  bass: { level: -9, duck: 0.25 },
  pad: { level: -20, room: 0.4, lowCut: 160 },
  keys: { level: -15, pan: 0.15, room: 0.25, lowCut: 120 },
  guitar: { level: -7, room: 0.25, lowCut: 110 },
  lead: { level: -5, room: 0.22, echo: 0.12, lowCut: 130 },
  doubles: { level: -15, room: 0.4, lowCut: 200 },
};

export const lowTideMixes: Record<MixName, Mix> = {
  '1.0': {
    strips: {
      ...strips,
      bass: { level: -12 },
      pad: { level: -26, lowCut: 160 },
      lead: { level: -8, room: 0.05, lowCut: 130 },
      doubles: { level: -14, lowCut: 200 },
      guitar: { level: -6, lowCut: 110 },
    },
    room: { decay: 0.5, damping: 0.7, level: -14 },
    echo: { seconds: 0.357, feedback: 0.2, level: -30 },
    master: { loudness: -22, lowShelf: 0, highShelf: -1.5, drive: 0, squeeze: 1.2, width: 0.6 },
  },
  '1.1': {
    strips: { ...strips, bass: { level: -4.5, duck: 0 }, lead: { level: -6, room: 0.4, echo: 0.2, lowCut: 130 } },
    room: { decay: 2.6, damping: 0.45, level: -3 },
    echo: { seconds: 0.536, feedback: 0.35, level: -6 },
    master: { loudness: -16.5, lowShelf: 1.5, highShelf: 0, drive: 0.2, squeeze: 1.6, width: 1 },
  },
  '2.0': {
    strips: { ...strips, bass: { level: -8, duck: 0.45 }, lead: { level: -2.5, room: 0.16, echo: 0.16, lowCut: 130 } },
    room: { decay: 1.5, damping: 0.35, level: -8 },
    echo: { seconds: 0.536, feedback: 0.3, level: -9 },
    master: { loudness: -10.5, lowShelf: 0.5, highShelf: 2.5, drive: 0.6, squeeze: 2.4, width: 1.1 },
  },
};
