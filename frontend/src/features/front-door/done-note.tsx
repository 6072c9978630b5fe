import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../../shared/ui/icon';
import styles from './front-door.module.css';

/** The line in which a form says that it worked. It is always there, so that screen readers announce what appears in it. */
export const DoneNote = ({ children }: { readonly children: ReactNode }) => (
  <output className={styles.note}>
    {children !== undefined && (
      <span className={styles.done}>
        <Icon of={Check} size={14} /> {children}
      </span>
    )}
  </output>
);
