import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { NOTE_NAMES } from '@roughmix/contracts/notes/note.access.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import { CATEGORY_LABELS } from '@roughmix/contracts/shared/categories.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { Search } from 'lucide-react';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { focusLabel } from '../../features/regions/focus-label';
import type { SearchItem } from '../../features/search/search-items';
import { formatSpan } from '../../shared/format/time';
import { regionTitles } from '@roughmix/contracts/regions/region-titles.js';
import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { showsNothing } from '@roughmix/contracts/shared/visible-text.js';
import type { SavedNotes } from '../../shared/project/project-notes';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import { IconButton } from '../../shared/ui/icon-button';
import { part } from '../../shared/ui/part';
import { useEver } from '../../shared/ui/use-ever';
import type { PageParts } from './project-page-data';
import type { ProjectPageState } from './project-page-state';

const SearchDialog = part(async () => ({ default: (await import('../../features/search/search-dialog')).SearchDialog }), {
  isOpen: ({ isOpen }) => isOpen,
  close: ({ onClose }) => onClose(),
});

function itemOfComment(comment: CommentView): readonly SearchItem[] {
  if (comment.removed) return [];
  const { _id, content, user } = comment;
  const text = typeof content === 'string' ? toTyped(content) : content.filename;
  return [{ id: `comment ${_id}`, kind: 'comment', text, about: fullName(user), destination: { commentId: _id } }];
}

const itemOfTodo = ({ _id, content, user }: TodoView): SearchItem => ({
  id: `todo ${_id}`,
  kind: 'todo',
  text: toTyped(content),
  about: fullName(user),
  destination: { todoId: _id },
});

/** What of the page is searched. */
type Searchable = Pick<PageParts, 'todos' | 'comments' | 'notes' | 'regions' | 'versions'>;

/** The lines of a text that are not blank, and where each begins. */
function linesOf(text: string): readonly { readonly text: string; readonly at: number }[] {
  let next = 0;
  const lines = text.split('\n').map((line) => {
    const at = next;
    next += line.length + 1;
    return { text: line, at };
  });
  return lines.filter((line) => !showsNothing(line.text));
}

/** One item for each line of a note. */
function itemsOfNotes(notes: SavedNotes): readonly SearchItem[] {
  return NOTE_NAMES.flatMap((note) => {
    const about = note === 'public' ? 'Public note' : 'Private note';
    return linesOf(notes[note]?.text ?? '').map(({ text, at }) => ({
      id: `note ${note} ${at}`,
      kind: 'note' as const,
      text,
      about,
      destination: { notePlace: { note, at, length: text.length } },
    }));
  });
}

function itemsOfRegions({ regions, comments, todos, versions }: Searchable): readonly SearchItem[] {
  const titles = regionTitles([...comments, ...todos]);
  const numbers = new Map(versions.map((version) => [version._id, versionNumber(version)]));
  return regions.map(({ _id, label, tag, start, end, versionId }: RegionView) => ({
    id: `region ${_id}`,
    kind: 'region',
    text: label ?? titles.get(_id) ?? CATEGORY_LABELS[tag],
    about: `${CATEGORY_LABELS[tag]}, ${formatSpan(start, end)} in ${numbers.get(versionId) ?? ''}`,
    destination: { regionId: _id, versionId, at: start },
  }));
}

/** Everything on the page that can be found, the newest todos and comments first. */
const searchItemsOf = (parts: Searchable): readonly SearchItem[] => [
  ...parts.todos.toReversed().map(itemOfTodo),
  ...parts.comments.toReversed().flatMap(itemOfComment),
  ...itemsOfNotes(parts.notes),
  ...itemsOfRegions(parts),
];

/** Focuses the label of a region once it is selected, which may need another version on the wave. */
function useFocusedRegion(selectedId: Id | null): (id: Id) => void {
  const wanted = useRef<Id | null>(null);
  const focusIfThere = () => {
    if (wanted.current === null || wanted.current !== selectedId) return;
    if (focusLabel(wanted.current)) wanted.current = null;
  };
  useEffect(focusIfThere);
  return (id) => {
    wanted.current = id;
    focusIfThere();
  };
}

/** The button and the key that search the open project. */
export function ProjectSearch({ parts, state }: { readonly parts: PageParts; readonly state: ProjectPageState }) {
  const [isOpen, setOpen] = useState(false);
  const wanted = useEver(isOpen);
  const { context, editor } = state;
  const focusRegion = useFocusedRegion(editor.selected?.id ?? null);
  const { todos, comments, notes, regions, versions } = parts;
  const items = useMemo(
    () => (wanted ? searchItemsOf({ todos, comments, notes, regions, versions }) : []),
    [wanted, todos, comments, notes, regions, versions],
  );
  const open = () => setOpen(true);
  useShortcuts([{ keys: ['/'], label: 'Search this project', run: open }]);
  const onPick = ({ destination }: SearchItem) => {
    context.goTo(destination);
    if (typeof destination.regionId === 'string') focusRegion(destination.regionId);
  };
  return (
    <>
      <IconButton label="Search this project" keys="/" icon={Search} onPress={open} />
      {wanted && (
        <Suspense fallback={null}>
          <SearchDialog items={items} isOpen={isOpen} onClose={() => setOpen(false)} onPick={onPick} />
        </Suspense>
      )}
    </>
  );
}
