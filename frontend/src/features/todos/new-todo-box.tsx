import { type Due, NOT_DUE } from '@roughmix/contracts/todos/todo.due.js';
import type { Ref } from 'react';
import { Composer, type ComposerHandle } from '../../shared/posts/composer';
import type { SelectedRegion } from '../../shared/posts/new-post';
import { useWriting } from '../../shared/posts/use-writing';
import { useProject } from '../../shared/project/project-context';
import { draftKey, useStored } from '../../shared/writing/drafts';
import { DueButton } from './due-button';
import { useTodoPlace } from './use-todo-place';

interface NewTodoBoxProps {
  readonly region: SelectedRegion | null;
  readonly ref?: Ref<ComposerHandle>;
}

/** The box for a new todo, which may be due at some time. */
export function NewTodoBox({ region, ref }: NewTodoBoxProps) {
  const { user, projectId } = useProject();
  const [due, setDue] = useStored<Due>(draftKey(user.uid, projectId, 'todos-due'), NOT_DUE, ({ dueDate }) => dueDate === null);
  const place = useTodoPlace(null, due);
  const send: typeof place.send = (post) => {
    place.send(post);
    setDue(NOT_DUE);
  };
  const writing = useWriting({ ...place, send }, region);
  const set = (next: Due, close: () => void) => {
    setDue(next);
    close();
  };
  return (
    <Composer ref={ref} label="New todo" placeholder="What is left to do?" sendLabel="Add todo" writing={writing} region={region}>
      <DueButton due={due} onSet={set} />
    </Composer>
  );
}
