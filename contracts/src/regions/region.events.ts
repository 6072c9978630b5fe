import type { RegionCategory } from '../shared/categories.js';
import type { EventClasses } from '../shared/field-classes.js';
import type { Id } from '../shared/ids.js';

/** A region's span in seconds and its category. `label` is null when it has none. */
export interface RegionSpan {
  readonly start: number;
  readonly end: number;
  readonly tag: RegionCategory;
  readonly label: string | null;
}

export interface RegionEvents {
  RegionAdded: { readonly regionId: Id; readonly versionId: Id; readonly span: RegionSpan };
  RegionEdited: { readonly regionId: Id; readonly from: RegionSpan; readonly to: RegionSpan };
  /** `commentIds` are the comments and replies that were tagged with it and lose the tag. */
  RegionRemoved: { readonly regionId: Id; readonly commentIds: readonly Id[] };
}

const span = <Name extends string>(name: Name) =>
  ({ [`${name}.start`]: 'plain', [`${name}.end`]: 'plain', [`${name}.tag`]: 'plain', [`${name}.label`]: 'content' }) as const;

export const REGION_EVENT_CLASSES: EventClasses<RegionEvents> = {
  RegionAdded: { regionId: 'plain', versionId: 'plain', ...span('span') },
  RegionEdited: { regionId: 'plain', ...span('from'), ...span('to') },
  RegionRemoved: { regionId: 'plain', commentIds: 'plain' },
};
