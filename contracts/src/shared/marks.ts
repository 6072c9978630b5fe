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

export const UNMARKED: Marks = { taggedRegions: [], stamp: null };

export const sameStamp = (one: Stamp | null, other: Stamp | null): boolean => one?.versionId === other?.versionId && one?.at === other?.at;

export const sameMarks = (one: Marks, other: Marks): boolean =>
  sameStamp(one.stamp, other.stamp) &&
  one.taggedRegions.length === other.taggedRegions.length &&
  one.taggedRegions.every((regionId, at) => regionId === other.taggedRegions[at]);

/** The field classes of marks in an event's field. */
export const marksClasses = <Name extends string>(name: Name) =>
  ({ [`${name}.taggedRegions`]: 'plain', [`${name}.stamp`]: 'plain', [`${name}.stamp.versionId`]: 'plain', [`${name}.stamp.at`]: 'plain' }) as const;
