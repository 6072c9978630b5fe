import { lazy, Suspense, useId } from 'react';
import { Panel } from './part';
import { loadTabs } from './surfaces';
import { panelIdOf, PlainTabRow, type TabItem, tabIdOf } from './tab-row';
import styles from './tabs.module.css';

const TabRow = lazy(async () => {
  try {
    return await loadTabs();
  } catch {
    // Offline: keep the plain row.
    return { default: PlainTabRow };
  }
});

export interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly TabItem<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
}

/** Panels of which one is open. Only the open panel is rendered. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect }: TabsProps<Id>) {
  const baseId = useId();
  const open = tabs.find(({ id }) => id === selected);
  const select = (id: string) => {
    const tab = tabs.find((one) => one.id === id);
    if (tab && tab.id !== selected) onSelect(tab.id);
  };
  const row = { baseId, label, tabs, selected, onSelect: select };
  return (
    <>
      <div className={styles.tabs}>
        <Suspense fallback={<PlainTabRow {...row} />}>
          <TabRow {...row} />
        </Suspense>
      </div>
      {/* Not a TabPanel of react-aria: that would wait for the row, and the panel belongs to the first paint. */}
      {open && (
        <div key={open.id} role="tabpanel" id={panelIdOf(baseId, open.id)} aria-labelledby={tabIdOf(baseId, open.id)}>
          <Panel>{open.panel}</Panel>
        </div>
      )}
    </>
  );
}
