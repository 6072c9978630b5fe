import { IsIn } from 'class-validator';
import { FiniteNumber, IdField, Line, Nested, Nullable, Optional } from '../shared/body.js';
import { REGION_CATEGORIES, type RegionCategory } from '../shared/categories.js';
import { LIMITS } from '../shared/limits.js';
import { SpanChangeBody } from '../shared/marks.api.js';

export class NewRegionSubmission {
  @IdField()
  versionId: string;
  @FiniteNumber()
  start: number;
  @FiniteNumber()
  end: number;
  @Optional()
  @IsIn(REGION_CATEGORIES)
  tag?: RegionCategory;
  @Nullable()
  @Line(LIMITS.label, 'limit.label')
  label?: string | null;
}

/** POST /api/regions */
export class NewRegionBody {
  @IdField()
  projectId: string;
  @Nested(() => NewRegionSubmission)
  submission: NewRegionSubmission;
}

export class RegionChanges extends SpanChangeBody {
  @Optional()
  @IdField()
  versionId?: string;
  @Nullable()
  @Line(LIMITS.label, 'limit.label')
  label?: string | null;
}

/** PUT /api/regions/{id} */
export class EditRegionBody {
  @Optional()
  @IdField()
  projectId?: string;
  @Nested(() => RegionChanges)
  submission: RegionChanges;
}
