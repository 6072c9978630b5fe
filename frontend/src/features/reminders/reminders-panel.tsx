import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../../shared/ui/dialog';
import { IconButton } from '../../shared/ui/icon-button';
import { RemindersCalendar, type RemindersProps } from './reminders-calendar';
import styles from './reminders.module.css';

/** The calendar beside the list, on wide screens. */
export const RemindersPanel = (props: RemindersProps) => (
  <aside className={styles['panel']} aria-label="Reminders">
    <h2 className="h-panel">Reminders</h2>
    <RemindersCalendar {...props} />
  </aside>
);

/** Opens the calendar in a dialog, which is a sheet on a phone; on screens that are too narrow for the panel. */
export function RemindersButton(props: RemindersProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <span className={styles['opener']}>
      <IconButton label="Reminders" icon={CalendarDays} onPress={() => setOpen(true)} />
      <Dialog title="Reminders" isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className={styles['sheet']}>
          <RemindersCalendar {...props} />
        </div>
      </Dialog>
    </span>
  );
}
