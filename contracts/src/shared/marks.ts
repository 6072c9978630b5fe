import type { RegionCategory } from './categories.js';
import type { Id } from './ids.js';

/** A timestamp in a version, `at` in seconds. */
export interface Stamp {
  readonly versionId: Id;
  readonly at: number;
}

/** What a post refers to. A post is a comment, a todo, or a reply to one. */
export interface Marks {
  readonly taggedRegions: readonly Id[];
  readonly stamp: Stamp | null;
}

/** A change of a region's bounds, in seconds, or its category; missing fields stay as they are. */
export interface SpanChange {
  readonly start?: number;
  readonly end?: number;
  readonly tag?: RegionCategory;
}

/** The region that a post is to be tagged with. If `change` makes a difference, the post gets a child region with the id `childId`. */
export interface WantedTag {
  readonly regionId: Id;
  readonly change: SpanChange;
  readonly childId: Id;
}

/** The marks that a command asks for; missing ones stay as they are. */
export interface WantedMarks {
  readonly taggedRegions?: readonly WantedTag[];
  readonly stamp?: Stamp | null;
}

export const UNMARKED: Marks = { taggedRegions: [], stamp: null };

export const sameStamp = (one: Stamp | null, other: Stamp | null): boolean => one?.versionId === other?.versionId && one?.at === other?.at;

export const sameMarks = (one: Marks, other: Marks): boolean =>
  sameStamp(one.stamp, other.stamp) &&
  one.taggedRegions.length === other.taggedRegions.length &&
  one.taggedRegions.every((regionId, at) => regionId === other.taggedRegions[at]);

/** The field classes of marks in an event's field. */
export const marksClasses = <Name extends string>(name: Name) =>
  ({ [`${name}.taggedRegions`]: 'plain', [`${name}.stamp`]: 'plain', [`${name}.stamp.versionId`]: 'plain', [`${name}.stamp.at`]: 'plain' }) as const;
