import { ArrayMaxSize, IsIn, Min } from 'class-validator';
import { AlsoIgnores, FiniteNumber, IdField, Nested, NestedList, Nullable, Optional } from './body.js';
import { REGION_CATEGORIES, type RegionCategory } from './categories.js';
import type { Id } from './ids.js';
import { LIMITS } from './limits.js';
import type { SpanChange, Stamp, WantedMarks } from './marks.js';
import { toMillis } from './span.js';

export class StampBody {
  @IdField()
  versionId: string;
  @FiniteNumber()
  @Min(0)
  at: number;
}

/** A change of a region's bounds or category; missing fields stay as they are. */
export class SpanChangeBody {
  @Optional()
  @FiniteNumber()
  start?: number;
  @Optional()
  @FiniteNumber()
  end?: number;
  @Optional()
  @IsIn(REGION_CATEGORIES)
  tag?: RegionCategory;
}

/** A region to tag a post with. A difference to the saved region creates a child region. */
@AlsoIgnores('timespan', 'childRegion')
export class TaggedRegionBody extends SpanChangeBody {
  @IdField()
  _id: string;
}

/** What a post refers to: at most one region, and a timestamp. In a change, missing fields stay as they are; `stamp: null` and `taggedRegions: []` remove. */
export class MarksBody {
  @Optional()
  @ArrayMaxSize(LIMITS.taggedRegions)
  @NestedList(() => TaggedRegionBody)
  taggedRegions?: TaggedRegionBody[];
  @Nullable()
  @Nested(() => StampBody)
  stamp?: StampBody | null;
}

/** The marks of a new post, and the version that it belongs to: the current one by default. */
export class PlacedMarksBody extends MarksBody {
  @Optional()
  @IdField()
  versionId?: string;
}

const stampOf = (stamp: StampBody | null): Stamp | null => (stamp === null ? null : { versionId: stamp.versionId, at: toMillis(stamp.at) });

/** The change of a region in a request, to the millisecond. */
export const spanChangeOf = ({ start, end, tag }: SpanChangeBody): SpanChange => ({
  ...(start === undefined ? {} : { start: toMillis(start) }),
  ...(end === undefined ? {} : { end: toMillis(end) }),
  ...(tag === undefined ? {} : { tag }),
});

/** The marks in a request. `childId` is the id of the child region that a changed region creates. */
export const marksOf = ({ taggedRegions, stamp }: MarksBody, childId: Id): WantedMarks => ({
  ...(taggedRegions === undefined
    ? {}
    : { taggedRegions: taggedRegions.map(({ _id, ...change }) => ({ regionId: _id, change: spanChangeOf(change), childId })) }),
  ...(stamp === undefined ? {} : { stamp: stampOf(stamp) }),
});
