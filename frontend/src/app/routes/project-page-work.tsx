import { type ReactNode, useState } from 'react';
import { Count } from '../../shared/ui/count';
import { Tabs } from '../../shared/ui/tabs';

/** One list of the work area. */
export interface WorkTab {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  readonly panel: ReactNode;
}

/** The lists below the player, one tab each. The first is open until another is chosen. */
export function ProjectWork({ tabs }: { readonly tabs: readonly WorkTab[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const open = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  if (open === undefined) return null;
  return (
    <section className="work" aria-label="Work">
      <Tabs
        label="Work"
        value={open.id}
        onChange={setChosen}
        tabs={tabs.map(({ id, label, count, panel }) => ({
          id,
          label: (
            <>
              {label} <Count of={count} />
            </>
          ),
          panel,
        }))}
      />
    </section>
  );
}
