import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Count } from './count';
import styles from './tabs.module.css';

export interface TabItem<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly count?: number | undefined;
  /** Marked with a dot: its panel holds changes that are not saved. */
  readonly isUnsaved?: boolean | undefined;
  readonly panel: ReactNode;
}

export interface TabRowProps {
  /** The ids of tabs and panels begin with it. */
  readonly baseId: string;
  readonly label: string;
  readonly tabs: readonly Omit<TabItem<string>, 'panel'>[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

export const tabIdOf = (baseId: string, id: string): string => `${baseId}-tab-${id}`;
export const panelIdOf = (baseId: string, id: string): string => `${baseId}-panel-${id}`;

/** A tab's words, its count, and the mark of unsaved changes. */
export const TabLabel = ({ label, count, isUnsaved }: Pick<TabItem<string>, 'label' | 'count' | 'isUnsaved'>) => (
  <>
    {label} {count !== undefined && <Count of={count} />}
    {isUnsaved === true && (
      <span className={styles.unsaved}>
        <span className="sr">not saved</span>
      </span>
    )}
  </>
);

/** Frames that react-aria may take for its tabs, which it renders in a second pass. */
const PATIENCE = 120;

/** Focuses an element as soon as it is there, unless something else was focused meanwhile. */
function focusOnceThere(id: string, frames = PATIENCE): void {
  requestAnimationFrame(() => {
    if (frames === 0 || document.activeElement !== document.body) return;
    const element = document.getElementById(id);
    if (element === null) focusOnceThere(id, frames - 1);
    else element.focus();
  });
}

/** The row at the first paint, which stays if react-aria cannot be loaded: pointer and Tab key work, arrow keys do not. */
export function PlainTabRow({ baseId, label, tabs, selected, onSelect }: TabRowProps) {
  const list = useRef<HTMLDivElement>(null);
  const selectedTabId = tabIdOf(baseId, selected);
  useLayoutEffect(() => {
    const { current } = list;
    return () => {
      // A tab that has the focus keeps it when react-aria's row takes over.
      if (current?.contains(document.activeElement)) focusOnceThere(selectedTabId);
    };
  }, [selectedTabId]);
  return (
    <div className={styles.list} role="tablist" aria-label={label} ref={list}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          className={styles.tab}
          id={tabIdOf(baseId, tab.id)}
          aria-selected={tab.id === selected}
          aria-controls={tab.id === selected ? panelIdOf(baseId, tab.id) : undefined}
          onClick={() => onSelect(tab.id)}
        >
          <TabLabel label={tab.label} count={tab.count} isUnsaved={tab.isUnsaved} />
        </button>
      ))}
    </div>
  );
}
