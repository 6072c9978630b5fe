import type { GroupRegionCategory } from '@roughmix/contracts/shared/categories.js';
import type { DemoPerson } from '../demo/demo-people';
import type { DemoMark } from '../demo/demo-wave';

/** A region of the demo song, and a comment on it. Times in seconds. */
export interface Said {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly category: GroupRegionCategory;
  readonly isSelected?: boolean;
  readonly label: string;
  readonly who: DemoPerson;
  readonly meta?: string;
  readonly text: string;
}

/** What the picture shows, in seconds; infra/site-pictures.mjs draws it. */
export const SHOWN = { start: 24, end: 58 } as const;
export const SHOWN_SECONDS = SHOWN.end - SHOWN.start;
/** Between two marks of the ruler. */
export const RULER_SECONDS = 5;

export const SAID: readonly Said[] = [
  {
    id: 'lift',
    start: 25.7,
    end: 30,
    category: 'arrangement',
    label: 'Longer lift',
    who: 'Ravi',
    text: 'Could it breathe for four bars?',
  },
  {
    id: 'doubles',
    start: 30,
    end: 36.4,
    category: 'performance',
    isSelected: true,
    label: 'Doubles drag behind the beat',
    who: 'Sam',
    text: 'Both doubles are a good breath behind you. I like lazy, but this is lazy in two directions.',
  },
  {
    id: 'kick',
    start: 38.6,
    end: 45,
    category: 'mix',
    label: 'Bass masks the kick',
    who: 'Ines',
    meta: 'todo for Friday',
    text: 'Duck the bass a little before anybody turns it down.',
  },
  {
    id: 'break',
    start: 47.1,
    end: 53.6,
    category: 'style',
    label: 'Break: tape or glass?',
    who: 'Maud',
    text: 'Tape. Glass is for the next song.',
  },
];

/** Where the playhead stands before it moves, as a part of what is shown. */
export const STARTS_AT = (33.2 - SHOWN.start) / SHOWN_SECONDS;

/** The share of the picture at a time. */
export const shareAt = (seconds: number): number => (seconds - SHOWN.start) / SHOWN_SECONDS;

/** The time at a share of the picture. */
export const secondsAt = (share: number): number => SHOWN.start + share * SHOWN_SECONDS;

/** The comment on the region under the playhead; null between regions. */
export const saidAt = (seconds: number): string | null => SAID.find(({ start, end }) => seconds >= start && seconds < end)?.id ?? null;

/** The regions as the wave shows them. */
export const MARKS: readonly DemoMark[] = SAID.map(({ start, end, category, isSelected }) => ({
  start: shareAt(start),
  end: shareAt(end),
  category,
  ...(isSelected === undefined ? {} : { isSelected }),
}));
