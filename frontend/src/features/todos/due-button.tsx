import { relativeTime } from '@roughmix/contracts/shared/relative-time.js';
import type { Due } from '@roughmix/contracts/todos/todo.due.js';
import { AlarmClock, CalendarDays } from 'lucide-react';
import { isDueSoon } from '../../shared/format/days';
import { useNow } from '../../shared/hooks/use-now';
import { Button } from '../../shared/ui/button';
import { classNames } from '../../shared/ui/class-names';
import { Icon } from '../../shared/ui/icon';
import { Popover } from '../../shared/ui/popover';
import { When } from '../../shared/ui/when';
import { DueForm } from './due-form';
import './todos.css';

/** When a completed todo was due: no longer urgent, and no reminder is to come. */
export function PastDueLabel({ due: { dueDate } }: { readonly due: Due }) {
  const now = useNow();
  if (dueDate === null) return null;
  return (
    <span>
      due <When at={dueDate}>{relativeTime(dueDate, now)}</When>
    </span>
  );
}

/** When a todo is due, and whether there is a reminder. */
export function DueLabel({ due: { dueDate, reminder } }: { readonly due: Due }) {
  const now = useNow();
  if (dueDate === null) return null;
  return (
    <span className={classNames('due', isDueSoon(dueDate, now) && 'soon')}>
      <Icon of={reminder === null ? CalendarDays : AlarmClock} size={12} />
      <span className="sr">{dueDate < now ? 'Was due ' : 'Due '}</span>
      <When at={dueDate}>{relativeTime(dueDate, now)}</When>
      {reminder !== null && <span className="sr">, reminder {reminder.label}</span>}
    </span>
  );
}

interface DueButtonProps {
  readonly due: Due;
  /** `close` closes the form. */
  readonly onSet: (due: Due, close: () => void) => void;
  readonly isPending?: boolean;
  readonly error?: string | null;
  readonly onOpen?: () => void;
}

/** Shows the due date and opens the form that changes it. */
export function DueButton({ due, onSet, isPending, error, onOpen }: DueButtonProps) {
  return (
    <Popover
      label="Due date and reminder"
      placement="bottom start"
      onOpenChange={(isOpen) => isOpen && onOpen?.()}
      trigger={(trigger) => (
        <Button {...trigger} size="s" variant={due.dueDate === null ? 'quiet' : 'outline'}>
          {due.dueDate === null ? (
            <>
              <Icon of={CalendarDays} size={14} />
              Due
            </>
          ) : (
            <DueLabel due={due} />
          )}
        </Button>
      )}
    >
      {(close) => <DueForm due={due} onSet={(next) => onSet(next, close)} onCancel={close} isPending={isPending} error={error} />}
    </Popover>
  );
}
