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

/** Opens a tab, because something in it is to be shown. `requestId` counts up, so that the same tab can be requested again. */
export interface TabRequest {
  readonly tabId: string;
  readonly requestId: number;
}

interface ProjectWorkProps {
  readonly tabs: readonly WorkTab[];
  readonly request: TabRequest | null;
}

/** The lists below the player, one tab each. The first is open until another is chosen or requested. */
export function ProjectWork({ tabs, request }: ProjectWorkProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [followed, setFollowed] = useState(0);
  if (request !== null && request.requestId !== followed) {
    setFollowed(request.requestId);
    setChosen(request.tabId);
  }
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
