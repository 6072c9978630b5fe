import type { Id } from '@roughmix/contracts/shared/ids.js';
import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { mayAddTodo } from '@roughmix/contracts/todos/todo.access.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { ListChecks } from 'lucide-react';
import { type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ComposerHandle } from '../../shared/posts/composer';
import { type Highlight, highlightIn } from '../../shared/posts/highlight';
import type { SelectedRegion } from '../../shared/posts/new-post';
import { useRescueOrphanedReplies } from '../../shared/posts/use-rescue-orphaned-replies';
import { useUnsent } from '../../shared/posts/use-unsent';
import { useProject } from '../../shared/project/project-context';
import { GuestNote } from '../../shared/session/guest-note';
import { EmptyState } from '../../shared/ui/empty-state';
import { Segmented } from '../../shared/ui/segmented';
import { CompleteButton } from './complete-button';
import { NewTodoBox } from './new-todo-box';
import { TodoList, type TodoListFacts } from './todo-list';
import { type Round, roundsOf, type TodoThread, todoThreadsOf } from './todo-threads';
import './todos.css';
import { UnsentTodo } from './unsent-todo';
import { useLeaving } from './use-leaving';
import { useMarkedTodos } from './use-marked-todos';
import { todoDraftKey, useTodoOutbox } from './use-todo-place';

export interface TodosPanelProps {
  readonly todos: readonly TodoView[];
  readonly highlight: Highlight | null;
  /** The region on the wave that a new todo can be tagged with. Keep the object the same while nothing in it changes. */
  readonly region: SelectedRegion | null;
  readonly ref?: Ref<ComposerHandle>;
}

type Tab = 'active' | 'completed';

/** The open list; a highlight opens the list that its todo is in. */
function useTab(completed: readonly TodoThread[], highlight: Highlight | null) {
  const [tab, setTab] = useState<Tab>('active');
  const [followed, setFollowed] = useState<Highlight | null>(null);
  if (highlight !== null && highlight !== followed) {
    setFollowed(highlight);
    setTab(completed.some(({ first, replies }) => highlightIn([first, ...replies], highlight)) ? 'completed' : 'active');
  }
  return [tab, setTab] as const;
}

function RoundHeading({ round: { versionId, number, threads } }: { readonly round: Round }) {
  const { versions } = useProject();
  const version = versions.find(({ _id }) => _id === versionId);
  return (
    <h3 className="round">
      {number === null ? 'Without a version' : versionNumber(number)}
      {version !== undefined && <span className="soft cut">{toTyped(version.tinySummary)}</span>}
      <span className="meta">{threads.length} completed</span>
    </h3>
  );
}

/** Completed todos by version: the history of rounds. */
function CompletedTodos({ threads, facts }: { readonly threads: readonly TodoThread[]; readonly facts: TodoListFacts }) {
  const rounds = useMemo(() => roundsOf(threads), [threads]);
  const byFirst = new Map(rounds.map((round) => [round.threads[0]?.first._id, round]));
  const heading = ({ first: { _id } }: TodoThread) => {
    const round = byFirst.get(_id);
    return round && <RoundHeading round={round} />;
  };
  if (threads.length === 0) return <EmptyState icon={ListChecks}>No completed todos (yet)</EmptyState>;
  return <TodoList threads={rounds.flatMap((round) => round.threads)} facts={facts} heading={heading} />;
}

/** A project's todos: the active ones below the box for a new one, and those completed by version. */
export function TodosPanel({ todos, highlight, region, ref }: TodosPanelProps) {
  const { user, viewer, projectId } = useProject();
  const [openedAt] = useState(Date.now);
  const threads = useMemo(() => todoThreadsOf(todos), [todos]);
  const leaving = useLeaving(threads);
  const active = threads.filter(({ first }) => !first.completed || leaving.has(first._id));
  const completed = useMemo(() => threads.filter(({ first }) => first.completed), [threads]);
  const [tab, setTab] = useTab(completed, highlight);
  const unsent = useUnsent(useTodoOutbox(), todos);
  const activeTodos = useMemo(() => threads.flatMap(({ first }) => (first.completed ? [] : [first])), [threads]);
  const { marked, mark, clear } = useMarkedTodos(activeTodos);
  const composer = useRef<ComposerHandle>(null);
  const bar = useRef<HTMLDivElement>(null);
  const takeBack = (text: string) => composer.current?.takeBack(text);
  useImperativeHandle(ref, () => ({
    focus: (withTag) => {
      // The box must be visible before it can take the focus.
      if (tab !== 'active') flushSync(() => setTab('active'));
      composer.current?.focus(withTag);
    },
    takeBack,
  }));
  const mayAdd = mayAddTodo(viewer);
  const open = threads.map(({ first }) => first._id);
  const draftKeyOf = (parentId: Id) => todoDraftKey(user.uid, projectId, parentId);
  useRescueOrphanedReplies({ noun: 'todo', open, draftKeyOf, takeBack: mayAdd ? takeBack : null });
  const unsentTodos = unsent.filter(({ parentId }) => parentId === null || !open.includes(parentId)).toReversed();
  const facts: TodoListFacts = { unsent, highlight, openedAt, marked, onMark: mark, leaving };
  const onCompleted = () => {
    clear();
    bar.current?.querySelector<HTMLElement>('input:checked')?.focus({ preventScroll: true });
  };
  return (
    <div className="posts todos">
      <div className="sub" ref={bar}>
        <Segmented<Tab>
          label="Todos"
          options={[
            { id: 'active', label: 'Active', count: activeTodos.length },
            { id: 'completed', label: 'Completed', count: completed.length },
          ]}
          value={tab}
          onChange={setTab}
        />
        <CompleteButton marked={marked} onCompleted={onCompleted} />
      </div>
      <div className="todos-active" hidden={tab !== 'active'}>
        {mayAdd ? <NewTodoBox ref={composer} region={region} /> : <GuestNote />}
        {unsentTodos.map((todo) => (
          <UnsentTodo key={todo.key} post={todo} onTakeBack={takeBack} />
        ))}
        {tab === 'active' && <TodoList threads={active} facts={facts} />}
        {active.length === 0 && unsentTodos.length === 0 && <EmptyState icon={ListChecks}>Nothing todo... yet</EmptyState>}
      </div>
      {tab === 'completed' && <CompletedTodos threads={completed} facts={facts} />}
    </div>
  );
}
