import { NOTE_NAMES, type NoteName } from '@roughmix/contracts/notes/note.access.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { parseClock } from '../../shared/format/time';
import type { Destination } from '../../shared/project/project-context';
import { rangeOfPost } from '../../shared/posts/post-range';
import type { PageParts } from './project-page-data';
import { postIn } from './project-page-selection';

/** What an address says about a place in a project. */
export interface Target {
  /** A version's id or number. */
  readonly version: string | null;
  /** Seconds. */
  readonly at: number | null;
  /** The end of a range that begins at `at`. */
  readonly to: number | null;
  readonly region: Id | null;
  readonly comment: Id | null;
  readonly todo: Id | null;
  /** The id of a tab of the work area. */
  readonly tab: string | null;
  readonly note: NoteName | null;
}

/** Reads `?v=`, `?t=` (a time in seconds or as a clock, or a range of two), `?region=`, `?comment=`, `?todo=`, `?tab=` and `?note=` (public or private). */
export function targetOf(search: URLSearchParams): Target {
  const [at = null, to = null] = (search.get('t') ?? '').split('-').map((text) => parseClock(text) ?? null);
  return {
    version: search.get('v'),
    at,
    to: at !== null && to !== null && to > at ? to : null,
    region: search.get('region'),
    comment: search.get('comment'),
    todo: search.get('todo'),
    tab: search.get('tab'),
    note: NOTE_NAMES.find((note) => note === search.get('note')) ?? null,
  };
}

const versionNamed = ({ versions }: Pick<PageParts, 'versions'>, name: string | null) =>
  versions.find((version) => version._id === name || versionNumber(version) === name);

/** Finds the place in the loaded project. A region implies its version and start; a comment or todo those of its timestamp, and its region. */
export function destinationOf({ versions, regions, comments, todos }: PageParts, target: Target): Required<Destination> {
  const notePlace = target.note && { note: target.note, at: 0, length: 0 };
  const postId = target.comment ?? target.todo;
  const post = postIn({ comments, todos }, postId);
  const range = post === undefined ? null : rangeOfPost(post, regions);
  const regionId = target.region ?? range?.regionId ?? null;
  const ids = { to: target.to, regionId, postId, commentId: target.comment, todoId: target.todo, tabId: target.tab, notePlace };
  const region = regions.find(({ _id }) => _id === target.region);
  if (region) return { ...ids, versionId: region.versionId, at: target.at ?? region.start };
  const named = versionNamed({ versions }, target.version);
  const versionId = named?._id ?? post?.stamp?.versionId ?? range?.versionId ?? null;
  return { ...ids, versionId, at: target.at ?? post?.stamp?.at ?? range?.start ?? null };
}

const isGone = (id: Id | null, items: readonly { readonly _id: Id }[]): boolean => id !== null && items.every(({ _id }) => _id !== id);

/** The kind of item that an address names and the project no longer has; null if none is missing. */
export function goneAt({ regions, comments, todos }: PageParts, { region, comment, todo }: Target): 'region' | 'comment' | 'todo' | null {
  if (isGone(todo, todos)) return 'todo';
  if (isGone(comment, comments)) return 'comment';
  return isGone(region, regions) ? 'region' : null;
}

/** Whether the loaded project lacks something that an address names: it may have been added since. */
export const isMissing = (parts: PageParts, target: Target): boolean =>
  goneAt(parts, target) !== null || (target.version !== null && versionNamed(parts, target.version) === undefined);

/** The address of a moment in a version. */
export function addressOfMoment(here: string, versionId: Id | null, seconds: number): string {
  const url = new URL(here);
  url.search = new URLSearchParams({ ...(versionId === null ? {} : { v: versionId }), t: String(Math.round(seconds * 10) / 10) }).toString();
  url.hash = '';
  return url.href;
}
