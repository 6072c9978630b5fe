import type { SongName } from '../music/songs/songs.js';
import type { PersonName } from './people.js';
import type { Ago } from './story.js';

/** A collection of the owner's projects. */
export interface DemoCollection {
  readonly owner: PersonName;
  readonly ago: Ago;
  readonly title: string;
  readonly songs: readonly SongName[];
}

export const demoCollections: readonly DemoCollection[] = [
  { owner: 'ines', ago: '3d 20h', title: 'Songs from the ferry', songs: ['low-tide'] },
  { owner: 'ines', ago: '1d 1h', title: 'Nearly done', songs: ['low-tide'] },
  { owner: 'ravi', ago: '2d', title: 'Batteries included', songs: ['nine-volt'] },
  { owner: 'maud', ago: '2d 3h', title: 'Thursday sessions', songs: ['paper-moon'] },
];
