import { CircleCheck, type LucideIcon, MessageSquare, NotebookPen, SquareDashed } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useStableCallback } from '../../shared/hooks/use-stable-callback';
import { ComboBox, type ComboBoxOption } from '../../shared/ui/combo-box';
import { Dialog } from '../../shared/ui/dialog';
import { Icon } from '../../shared/ui/icon';
import { type Found, indexed, MOST_FOUND, search, type SearchItem, type SearchKind } from './search-items';
import styles from './search.module.css';

const ICONS: Readonly<Record<SearchKind, LucideIcon>> = { todo: CircleCheck, comment: MessageSquare, note: NotebookPen, region: SquareDashed };
const LABELS: Readonly<Record<SearchKind, string>> = { todo: 'Todo', comment: 'Comment', note: 'Note', region: 'Region' };

export interface SearchDialogProps {
  readonly items: readonly SearchItem[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called once the dialog is gone: before that it would take the focus back. */
  readonly onPick: (item: SearchItem) => void;
}

function optionOf({ item, excerpt: { before, match, after } }: Found): ComboBoxOption {
  const content = (
    <>
      <Icon of={ICONS[item.kind]} size={16} />
      <span className={`grow ${styles.text}`}>
        <span className="sr">{LABELS[item.kind]}: </span>
        {before}
        <mark className={styles.match}>{match}</mark>
        {after}
      </span>
      <span className={`meta ${styles.about}`}>{item.about}</span>
    </>
  );
  return { id: item.id, label: `${LABELS[item.kind]}: ${before}${match}${after}, ${item.about}`, content };
}

function Search({ items, onClose, onPick }: Omit<SearchDialogProps, 'isOpen'>) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text);
  const input = useRef<HTMLInputElement>(null);
  const picked = useRef<SearchItem | null>(null);
  const leave = useStableCallback(() => picked.current && onPick(picked.current));
  const index = useMemo(() => indexed(items), [items]);
  const found = useMemo(() => search(index, query), [index, query]);
  useEffect(() => {
    input.current?.focus();
    return () => void setTimeout(leave);
  }, [leave]);
  const pick = (id: string) => {
    picked.current = items.find((one) => one.id === id) ?? null;
    onClose();
  };
  return (
    <>
      <ComboBox
        ref={input}
        label="Todos, comments, notes and regions"
        listLabel="Results"
        isTall
        text={text}
        onText={setText}
        options={found.map(optionOf)}
        isCurrent={query === text}
        emptyNote="Nothing found"
        onPick={pick}
      />
      {found.length === MOST_FOUND && <p className="hint">Only the first {MOST_FOUND} results are shown.</p>}
    </>
  );
}

/** Finds what a project contains, and leads there. */
export const SearchDialog = ({ isOpen, ...props }: SearchDialogProps) => (
  <Dialog title="Search this project" isOpen={isOpen} onClose={props.onClose} size="l">
    <Search {...props} />
  </Dialog>
);
