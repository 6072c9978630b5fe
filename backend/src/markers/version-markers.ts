import type { ActiveComment, ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import { firstTexts } from '@roughmix/contracts/regions/region-titles.js';
import { CATEGORY_LABELS, type RegionCategory } from '@roughmix/contracts/shared/categories.js';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { textStart, toTyped } from '@roughmix/contracts/shared/post-text.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { plainLines, singleLine } from './plain-text.js';

/** A region of a version, or the timestamp of a comment or todo. */
export interface Marker {
  readonly kind: 'region' | 'comment' | 'todo';
  /** Seconds. */
  readonly start: number;
  /** null for a point. */
  readonly end: number | null;
  /** For a post, that of its tagged region. */
  readonly category: RegionCategory | null;
  /** On one line. */
  readonly name: string;
  /** The region's own label; null if it has none, and for posts. */
  readonly label: string | null;
  /** The whole text of the post, or of a region's first post. */
  readonly text: string;
  readonly author: string;
  readonly dateAdded: Instant;
  /** null unless it is a todo. */
  readonly completed: boolean | null;
}

type Page = Pick<ProjectPageAnswer['data'], 'regions' | 'comments' | 'todos'>;

const NAME_LENGTH = 60;

/** A version's regions, stamped comments and stamped todos in time order, at equal times regions first. */
export function versionMarkers(page: Page, versionId: Id): readonly Marker[] {
  return [...regionMarkers(page, versionId), ...pointMarkers(page, versionId)].toSorted((one, other) => one.start - other.start);
}

function regionMarkers({ regions, comments, todos }: Page, versionId: Id): readonly Marker[] {
  const texts = firstTexts([...comments, ...todos]);
  return regions
    .filter((region) => region.versionId === versionId)
    .map(({ _id, start, end, tag, label: typed, user, dateAdded }) => {
      const text = texts.get(_id) ?? '';
      const label = singleLine(typed ?? '') || null;
      const name = label ?? (singleLine(textStart(text, NAME_LENGTH)) || CATEGORY_LABELS[tag]);
      const words = { name, label, text: plainLines(toTyped(text)), author: singleLine(fullName(user)) };
      return { kind: 'region', start, end, category: tag, ...words, dateAdded, completed: null };
    });
}

function pointMarkers({ regions, comments, todos }: Page, versionId: Id): readonly Marker[] {
  const categories = new Map(regions.map(({ _id, tag }) => [_id, tag]));
  const completed = new Map(todos.map((todo) => [todo._id, todo.completed]));
  const pointOf = (post: ActiveComment | TodoView, facts: Pick<Marker, 'kind' | 'completed'>): readonly Marker[] => {
    if (post.stamp?.versionId !== versionId) return [];
    const { content, user, dateAdded, stamp, taggedRegions } = post;
    const wire = typeof content === 'string' ? content : content.filename;
    const author = singleLine(fullName(user));
    const name = singleLine(`${facts.kind === 'todo' ? 'Todo: ' : ''}${author}: ${textStart(wire, NAME_LENGTH)}`);
    const category = taggedRegions.flatMap(({ _id }) => categories.get(_id) ?? [])[0] ?? null;
    return [{ ...facts, start: stamp.at, end: null, category, name, label: null, text: plainLines(toTyped(wire)), author, dateAdded }];
  };
  return [
    ...comments.flatMap((comment) => (comment.removed ? [] : pointOf(comment, { kind: 'comment', completed: null }))),
    // A reply is completed with its todo.
    ...todos.flatMap((todo) => pointOf(todo, { kind: 'todo', completed: completed.get(todo.parentTodoId ?? todo._id) ?? false })),
  ];
}
