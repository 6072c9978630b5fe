import { type MixName, mixNames, type Moment, type Section, type Song } from './score/song.js';
import { type SongName, songs } from './songs/songs.js';

/** The facts about a song that need no rendering; times are seconds into every version. */
export type DemoSong = {
  name: SongName;
  title: string;
  key: string;
  tempo: number;
  duration: number;
  mixes: readonly { name: MixName; summary: string }[];
  sections: readonly Section[];
  moments: readonly Moment[];
};

const describe = (name: SongName, { title, key, tempo, duration, sections, moments, summaries }: Song): DemoSong => ({
  name,
  title,
  key,
  tempo,
  duration,
  sections,
  moments,
  mixes: mixNames.flatMap((mix) => {
    const summary = summaries[mix];
    return summary === undefined ? [] : [{ name: mix, summary }];
  }),
});

/** The song of the tutorial project. */
export const tutorialSong: DemoSong = describe('first-light', songs['first-light']);

export const demoSongs: readonly DemoSong[] = [
  describe('low-tide', songs['low-tide']),
  describe('paper-moon', songs['paper-moon']),
  describe('nine-volt', songs['nine-volt']),
];
