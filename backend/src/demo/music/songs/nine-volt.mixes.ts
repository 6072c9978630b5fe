import type { Mix, MixName } from '../score/song.js';

const strips: Mix['strips'] = {
  kick: { level: -7 },
  snare: { level: -5, room: 0.2 },
  toms: { level: -8, room: 0.25 },
  hats: { level: -8, pan: 0.12 },
  cymbals: { level: -11, room: 0.3 },
  rise: { level: -11, room: 0.3 },
  bass: { level: -11, duck: 0.5 },
  pad: { level: -12, room: 0.3, duck: 0.65 },
  keys: { level: -11, room: 0.2, duck: 0.4 },
  arp: { level: -7, pan: -0.2, room: 0.2, echo: 0.35, duck: 0.35 },
  lead: { level: -7, room: 0.2, echo: 0.2 },
  doubles: { level: -9, pan: 0.1, room: 0.2, echo: 0.25, duck: 0.2 },
};

export const nineVoltMixes: Record<MixName, Mix> = {
  '1.0': {
    strips: {
      ...strips,
      bass: { level: -14 },
      pad: { level: -15 },
      keys: { level: -11 },
      arp: { level: -8 },
      lead: { level: -11 },
      doubles: { level: -10 },
    },
    room: { decay: 0.5, damping: 0.6, level: -16 },
    echo: { seconds: 0.363, feedback: 0, level: -40 },
    master: { loudness: -20, lowShelf: 0, highShelf: -1.5, drive: 0, squeeze: 1.2, width: 0.6 },
  },
  '1.1': {
    strips: { ...strips, bass: { level: -7, duck: 0.3 }, pad: { level: -11, room: 0.6, duck: 0.5 } },
    room: { decay: 2.8, damping: 0.4, level: -5 },
    echo: { seconds: 0.363, feedback: 0.42, level: -5 },
    master: { loudness: -14.5, lowShelf: 1.5, highShelf: 0, drive: 0.3, squeeze: 1.6, width: 1 },
  },
  '2.0': {
    strips: {
      ...strips,
      bass: { level: -9.5, duck: 0.7 },
      pad: { level: -11, room: 0.2, duck: 0.8 },
      lead: { level: -3.5, room: 0.14, echo: 0.2 },
    },
    room: { decay: 1.2, damping: 0.35, level: -9 },
    echo: { seconds: 0.363, feedback: 0.36, level: -8 },
    master: { loudness: -9.5, lowShelf: 0.5, highShelf: 1.5, drive: 0.7, squeeze: 2.4, width: 1.15 },
  },
};
