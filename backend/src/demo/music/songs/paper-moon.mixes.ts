import type { Mix, MixName } from '../score/song.js';

const strips: Mix['strips'] = {
  kick: { level: -8 },
  snare: { level: -6, room: 0.3 },
  hats: { level: -10, pan: 0.3 },
  cymbals: { level: -13, pan: -0.25, room: 0.15 },
  bass: { level: -12 },
  keys: { level: -8, room: 0.2 },
  guitar: { level: -6, room: 0.2 },
  lead: { level: -6, room: 0.22, echo: 0.15 },
  arp: { level: -7, room: 0.3, echo: 0.1 },
  doubles: { level: -12, room: 0.5 },
};

export const paperMoonMixes: Record<MixName, Mix> = {
  '1.0': {
    strips: { ...strips, bass: { level: -15 }, lead: { level: -9, room: 0.06 }, cymbals: { level: -11, pan: -0.1 } },
    room: { decay: 0.45, damping: 0.7, level: -12 },
    echo: { seconds: 0.11, feedback: 0, level: -40 },
    master: { loudness: -21, lowShelf: 0, highShelf: -2, drive: 0, squeeze: 1.2, width: 0.55 },
  },
  '1.1': {
    strips: { ...strips, bass: { level: -8.5 }, lead: { level: -7, room: 0.35, echo: 0.5 } },
    room: { decay: 1.9, damping: 0.5, level: -4 },
    echo: { seconds: 0.125, feedback: 0.25, level: -4 },
    master: { loudness: -16, lowShelf: 1.5, highShelf: 0, drive: 0.2, squeeze: 1.5, width: 1 },
  },
  '2.0': {
    strips: { ...strips, bass: { level: -11 }, lead: { level: -4, room: 0.14, echo: 0.22 } },
    room: { decay: 1.1, damping: 0.4, level: -8 },
    echo: { seconds: 0.288, feedback: 0.28, level: -10 },
    master: { loudness: -11, lowShelf: 0.5, highShelf: 2, drive: 0.5, squeeze: 2.2, width: 1.1 },
  },
};
