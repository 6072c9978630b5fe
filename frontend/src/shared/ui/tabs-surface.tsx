import type { ComponentPropsWithRef } from 'react';
import { Tab, TabList, Tabs } from 'react-aria-components/Tabs';
import { panelIdOf, TabLabel, type TabRowProps, tabIdOf } from './tab-row';
import styles from './tabs.module.css';

/** Loaded by tabs.tsx after the first paint: arrow keys, Home and End move and select. */
export function TabsSurface({ baseId, label, tabs, selected, onSelect }: TabRowProps) {
  return (
    <Tabs selectedKey={selected} onSelectionChange={(id) => onSelect(String(id))}>
      <TabList className={styles.list} aria-label={label} items={tabs} dependencies={[selected]}>
        {(tab) => (
          <Tab
            id={tab.id}
            className={styles.tab}
            render={(props) => (
              // Tabs without href; react-aria types the props of links too.
              <div
                {...(props as ComponentPropsWithRef<'div'>)}
                id={tabIdOf(baseId, tab.id)}
                aria-controls={tab.id === selected ? panelIdOf(baseId, tab.id) : undefined}
              />
            )}
          >
            <TabLabel label={tab.label} count={tab.count} isUnsaved={tab.isUnsaved} />
          </Tab>
        )}
      </TabList>
    </Tabs>
  );
}
