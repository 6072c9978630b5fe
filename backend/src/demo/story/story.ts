import type { NoteName } from '@roughmix/contracts/notes/note.access.js';
import type { AccessNumber } from '@roughmix/contracts/projects/project.access.js';
import type { SetReminderLabel } from '@roughmix/contracts/todos/todo.due.js';
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
  /** The half of that region that is meant. */
  readonly half?: 'first' | 'second';
  /** Seconds into the newest version: the position of the playhead. */
  readonly at?: number;
}
export interface WritesTodo extends Timed {
  readonly todo: string;
  /** The todo's name within its story, for answers and completion. */
  readonly as: string;
  readonly about?: string;
  readonly due?: DemoDue;
}
export interface DemoDue {
  /** Days after the creation of the demo. */
  readonly inDays: number;
  /** In the server's time zone. */
  readonly hour: number;
  readonly reminder?: SetReminderLabel;
}
export interface Completes extends Timed {
  /** The names of todos. */
  readonly completes: readonly string[];
}
export interface WritesNote extends Timed {
  readonly note: NoteName;
  /** The whole note. */
  readonly text: string;
}
export interface Answers extends Timed {
  /** The name of a comment or todo. */
  readonly answers: string;
  readonly says: string;
  readonly as: string;
}
export interface Likes extends Timed {
  readonly likes: string;
}

/** One action of a user in a project. */
export type StoryEvent = InvitesOne | OpensToAll | BringsVersion | DrawsRegion | Says | WritesTodo | Completes | WritesNote | Answers | Likes;

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
