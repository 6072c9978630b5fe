import type { GroupRegionCategory } from '@roughmix/contracts/shared/categories.js';
import { Check } from 'lucide-react';
import { classNames } from '../../../shared/ui/class-names';
import { Icon } from '../../../shared/ui/icon';
import { Tag } from '../../../shared/ui/tag';
import styles from './landing.module.css';

interface DemoTodo {
  readonly text: string;
  readonly category: GroupRegionCategory;
  readonly span: { readonly start: number; readonly end: number };
  readonly due?: string;
  readonly isSoon?: boolean;
  readonly isDone?: boolean;
}

const TODOS: readonly DemoTodo[] = [
  { text: 'Sing both doubles again', category: 'performance', span: { start: 30, end: 47.1 }, isDone: true },
  { text: 'De-ess this line', category: 'mix', span: { start: 34.3, end: 38.6 }, due: 'tomorrow @ 09:00', isSoon: true },
  { text: 'Stretch the lift to three bars', category: 'arrangement', span: { start: 25.7, end: 30 } },
  { text: 'Decide: tape or glass', category: 'style', span: { start: 47.1, end: 53.6 }, due: 'Friday @ 18:00' },
];

/** Some todos of the demo song. */
export const TodosPicture = () => (
  <ul className={styles.demo} aria-label="Todos of Low Tide">
    {TODOS.map(({ text, category, span, due, isSoon, isDone }) => (
      <li key={text} className={styles.todo}>
        <span className={classNames(styles.tick, isDone && styles.ticked)}>{isDone && <Icon of={Check} size={12} />}</span>
        <span className={classNames('grow', isDone && styles.done)}>
          {isDone && <span className="sr">Completed: </span>}
          {text}
        </span>
        {due !== undefined && <span className={classNames('meta', 'only-l', isSoon && styles.soon)}>{due}</span>}
        <Tag category={category} span={span} />
      </li>
    ))}
  </ul>
);
