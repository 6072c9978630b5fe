import { ArrayMaxSize, IsNumber, Min } from 'class-validator';
import { IdField, Nested, NestedList, Nullable, Optional } from './body.js';
import type { Id } from './ids.js';
import { LIMITS } from './limits.js';
import type { Marks, Stamp } from './marks.js';
import { toMillis } from './span.js';

export class StampBody {
  @IdField()
  versionId: string;
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  at: number;
}

export class TaggedRegionBody {
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

export const stampOf = (stamp: StampBody | null | undefined): Stamp | null =>
  stamp === null || stamp === undefined ? null : { versionId: stamp.versionId, at: toMillis(stamp.at) };

const regionIdsOf = (tagged: readonly TaggedRegionBody[] | undefined): readonly Id[] => [...new Set(tagged?.map((region) => region._id))];

/** The marks of a new post. */
export const marksOf = ({ taggedRegions, stamp }: MarksBody): Marks => ({ taggedRegions: regionIdsOf(taggedRegions), stamp: stampOf(stamp) });

/** The marks that a change of a post names. */
export const changedMarks = ({ taggedRegions, stamp }: MarksBody): Partial<Marks> => ({
  ...(taggedRegions === undefined ? {} : { taggedRegions: regionIdsOf(taggedRegions) }),
  ...(stamp === undefined ? {} : { stamp: stampOf(stamp) }),
});
