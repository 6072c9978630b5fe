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
  /** A post's writer changed the bounds or the category of a saved region while tagging it. The child has no label. */
  ChildRegionAdded: { readonly regionId: Id; readonly parentRegionId: Id; readonly versionId: Id; readonly span: RegionSpan };
  /** The posts in `commentIds` and `todoIds` (replies included) lose the tag. The regions in `childIds` lose their parent and become ordinary. */
  'RegionRemoved.v2': {
    readonly regionId: Id;
    readonly parentRegionId: Id | null;
    readonly childIds: readonly Id[];
    readonly commentIds: readonly Id[];
    readonly todoIds: readonly Id[];
  };
}

const span = <Name extends string>(name: Name) =>
  ({ [`${name}.start`]: 'plain', [`${name}.end`]: 'plain', [`${name}.tag`]: 'plain', [`${name}.label`]: 'content' }) as const;

export const REGION_EVENT_CLASSES: EventClasses<RegionEvents> = {
  RegionAdded: { regionId: 'plain', versionId: 'plain', ...span('span') },
  RegionEdited: { regionId: 'plain', ...span('from'), ...span('to') },
  ChildRegionAdded: { regionId: 'plain', parentRegionId: 'plain', versionId: 'plain', ...span('span') },
  'RegionRemoved.v2': { regionId: 'plain', parentRegionId: 'plain', childIds: 'plain', commentIds: 'plain', todoIds: 'plain' },
};
