import type { AccessNumber } from '@roughmix/contracts/projects/project.access.js';
import type { MixName } from '../music/score/song.js';
import type { SongName } from '../music/songs/songs.js';
import type { PersonName } from './people.js';

/** Time before the creation of the demo in days, hours and minutes, such as '3d 4h' or '25m'. */
export type Ago = string;

interface Timed {
  readonly ago: Ago;
  readonly by: PersonName;
}

export interface InvitesOne extends Timed {
  /** The collaborator. */
  readonly invites: PersonName;
  readonly message: string;
}
export interface OpensToAll extends Timed {
  readonly opens: 'public';
}
export interface BringsVersion extends Timed {
  readonly brings: MixName;
}
export interface DrawsRegion extends Timed {
  /** The label of one of the song's moments. */
  readonly draws: string;
  readonly on: MixName;
}
export interface Says extends Timed {
  readonly says: string;
  /** The comment's name within its story, for answers and likes. */
  readonly as: string;
  /** The label of a region drawn before. */
  readonly about?: string;
  /** Seconds into the newest version: the position of the playhead. */
  readonly at?: number;
}
export interface Answers extends Timed {
  readonly answers: string;
  readonly says: string;
  readonly as: string;
}
export interface Likes extends Timed {
  readonly likes: string;
}

/** One action of a user in a project. */
export type StoryEvent = InvitesOne | OpensToAll | BringsVersion | DrawsRegion | Says | Answers | Likes;

/** The actions in one demo project, oldest first. */
export interface ProjectStory {
  readonly song: SongName;
  readonly owner: PersonName;
  readonly ago: Ago;
  readonly description: string;
  /** Users invited with the first version, and their levels. */
  readonly viewers: readonly { readonly who: PersonName; readonly access: AccessNumber }[];
  readonly welcome: string;
  readonly events: readonly StoryEvent[];
}

const UNITS = { d: 24 * 60 * 60_000, h: 60 * 60_000, m: 60_000 } as const;

/** In milliseconds. @throws Error for invalid text */
export function millisecondsOf(ago: Ago): number {
  const [, days = '0', hours = '0', minutes = '0'] = /^(?:(\d+)d)? ?(?:(\d+)h)? ?(?:(\d+)m)?$/.exec(ago) ?? [];
  const sum = Number(days) * UNITS.d + Number(hours) * UNITS.h + Number(minutes) * UNITS.m;
  if (sum === 0) throw new Error(`'${ago}' is not a time ago`);
  return sum;
}
