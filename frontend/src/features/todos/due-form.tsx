import type { Due, ReminderLabel } from '@roughmix/contracts/todos/todo.due.js';
import { NOT_DUE, REMINDER_LABELS } from '@roughmix/contracts/todos/todo.due.js';
import { useState } from 'react';
import { useNow } from '../../shared/hooks/use-now';
import { Button } from '../../shared/ui/button';
import { FieldError } from '../../shared/ui/field';
import { Select } from '../../shared/ui/select';
import { TextField } from '../../shared/ui/text-field';
import { choiceOf, fieldsOf } from './due-date';
import './todos.css';

const REMINDERS = REMINDER_LABELS.map((label) => ({ id: label, label }));

interface DueFormProps {
  readonly due: Due;
  readonly onSet: (due: Due) => void;
  readonly onCancel: () => void;
  readonly isPending?: boolean;
  /** Why the server refused it. */
  readonly error?: string | null;
}

interface RemoveQuestionProps {
  readonly onYes: () => void;
  readonly onCancel: () => void;
  readonly isPending: boolean;
  readonly error: string | null;
}

function RemoveQuestion({ onYes, onCancel, isPending, error }: RemoveQuestionProps) {
  return (
    <div className="due-form" role="group" aria-label="Remove a due date?">
      <p>Remove a due date?</p>
      {error !== null && <FieldError>{error}</FieldError>}
      <div className="flex">
        <span className="grow" />
        <Button size="s" variant="quiet" onPress={onCancel} autoFocus>
          Cancel
        </Button>
        <Button size="s" onPress={onYes} isPending={isPending}>
          Yes
        </Button>
      </div>
    </div>
  );
}

/** Sets, moves or removes a due date and its reminder. Times are in the browser's zone. */
export function DueForm({ due, onSet, onCancel, isPending = false, error = null }: DueFormProps) {
  const [fields, setFields] = useState(() => fieldsOf(due));
  const [asksRemoval, setAsksRemoval] = useState(false);
  const choice = choiceOf(due, fields, useNow());
  const problem = error ?? (choice.kind === 'nothing' ? choice.problem : null);
  const set = () => {
    if (choice.kind === 'remove') setAsksRemoval(true);
    else if (choice.kind === 'set') onSet(choice.due);
  };
  if (asksRemoval) return <RemoveQuestion isPending={isPending} error={error} onYes={() => onSet(NOT_DUE)} onCancel={() => setAsksRemoval(false)} />;
  return (
    <form
      className="due-form"
      onSubmit={(event) => {
        event.preventDefault();
        set();
      }}
    >
      <div className="flex">
        <TextField className="grow" label="Due date" type="date" value={fields.day} onChange={(day) => setFields({ ...fields, day })} autoFocus />
        <TextField label="Time" type="time" value={fields.time} onChange={(time) => setFields({ ...fields, time })} />
      </div>
      <Select<ReminderLabel> label="Reminder" options={REMINDERS} value={fields.reminder} onChange={(reminder) => setFields({ ...fields, reminder })} />
      {problem !== null && <FieldError>{problem}</FieldError>}
      <div className="flex">
        {fields.day !== '' && due.dueDate !== null && (
          <Button size="s" variant="quiet" onPress={() => setAsksRemoval(true)}>
            Remove
          </Button>
        )}
        <span className="grow" />
        <Button size="s" variant="quiet" onPress={onCancel}>
          Cancel
        </Button>
        <Button size="s" type="submit" isDisabled={choice.kind === 'nothing'} isPending={isPending}>
          Set
        </Button>
      </div>
    </form>
  );
}
