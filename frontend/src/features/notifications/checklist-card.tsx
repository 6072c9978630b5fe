import { CHECKLIST_ITEMS, type Checklist, type ChecklistItem } from '@roughmix/contracts/notifications/notification.types.js';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { useEffect, useEffectEvent, useState } from 'react';
import { Checkbox } from '../../shared/ui/checkbox';
import { classNames } from '../../shared/ui/class-names';
import styles from './notifications.module.css';

const LABELS: Readonly<Record<ChecklistItem, string>> = {
  tutorial: 'Open the project tutorial',
  upload: 'Upload a track',
  share: 'Share progress',
  feedback: 'Get feedback from a group',
};
/** All is ticked: the card fades after 1 s and is dismissed after 2.1 s. */
const FADE_MS = 1_000;
const DISMISS_MS = 2_100;

const isComplete = (checklist: Checklist): boolean => CHECKLIST_ITEMS.every((item) => checklist[item]);

interface ChecklistCardProps {
  readonly view: NotificationView & { readonly checklist: Checklist };
  readonly onTick: (item: ChecklistItem, done: boolean) => void;
  readonly onDone: (view: NotificationView) => void;
}

/** The welcome checklist: items are ticked by hand, or by doing them. */
export function ChecklistCard({ view, onTick, onDone }: ChecklistCardProps) {
  const { checklist } = view;
  const done = CHECKLIST_ITEMS.filter((item) => checklist[item]).length;
  const hasAll = isComplete(checklist);
  const [isFading, setFading] = useState(false);
  const finish = useEffectEvent(() => onDone(view));
  useEffect(() => {
    if (!hasAll) return undefined;
    const fade = setTimeout(() => setFading(true), FADE_MS);
    const dismiss = setTimeout(() => finish(), DISMISS_MS);
    return () => {
      clearTimeout(fade);
      clearTimeout(dismiss);
      setFading(false);
    };
  }, [hasAll]);
  return (
    <section className={classNames(styles['welcome'], isFading && styles['fades'])} aria-labelledby="welcome-checklist">
      <div className={styles['welcome-head']}>
        <h3 className="h-panel grow" id="welcome-checklist">
          {view.message}
        </h3>
        <span className="meta">
          {done} of {CHECKLIST_ITEMS.length}
        </span>
      </div>
      <ul className={styles['items']}>
        {CHECKLIST_ITEMS.map((item) => (
          <li key={item} className={classNames(checklist[item] && styles['did'])}>
            <Checkbox label={LABELS[item]} isSelected={checklist[item]} onChange={(isSelected) => onTick(item, isSelected)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
