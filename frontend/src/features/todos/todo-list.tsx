import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { Fragment, type ReactNode } from 'react';
import { useGrowingList } from '../../shared/hooks/use-growing-list';
import { type Highlight, highlightIn } from '../../shared/posts/highlight';
import { repliesTo } from '../../shared/posts/threads';
import type { OutgoingTodo } from './new-todo';
import { TodoThread } from './todo-thread';
import type { TodoThread as Thread } from './todo-threads';

/** What all rows of a list share. */
export interface TodoListFacts {
  readonly unsent: readonly OutgoingTodo[];
  readonly highlight: Highlight | null;
  readonly openedAt: Instant;
  readonly marked: readonly Id[];
  readonly onMark: (todo: TodoView, isMarked: boolean) => void;
  readonly leaving: ReadonlySet<Id>;
}

interface TodoListProps {
  readonly threads: readonly Thread[];
  readonly facts: TodoListFacts;
  /** The heading in front of a thread, if it begins a group. */
  readonly heading?: (thread: Thread) => ReactNode;
}

/** Todos as rows; a long list is rendered in steps. */
export function TodoList({ threads, facts, heading }: TodoListProps) {
  const { unsent, highlight, openedAt, marked, onMark, leaving } = facts;
  const highlighted = highlight === null ? -1 : threads.findIndex(({ first, replies }) => highlightIn([first, ...replies], highlight) !== null);
  const { count, end } = useGrowingList(threads.length, highlighted + 1);
  const isMarked = new Set(marked);
  return (
    <>
      {threads.slice(0, count).map((thread) => (
        <Fragment key={thread.first._id}>
          {heading?.(thread)}
          <TodoThread
            thread={thread}
            unsent={repliesTo(thread.first._id, unsent)}
            highlight={highlightIn([thread.first, ...thread.replies], highlight)}
            openedAt={openedAt}
            isMarked={isMarked.has(thread.first._id)}
            onMark={onMark}
            isLeaving={leaving.has(thread.first._id)}
          />
        </Fragment>
      ))}
      {end !== null && <div ref={end} />}
    </>
  );
}
