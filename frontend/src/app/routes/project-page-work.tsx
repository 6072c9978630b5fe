import { useState } from 'react';
import type { TabItem } from '../../shared/ui/tab-row';
import { Tabs } from '../../shared/ui/tabs';

export const TODOS_TAB = 'todos';
export const COMMENTS_TAB = 'comments';
export const NOTES_TAB = 'notes';

/** One list of the work area. */
export type WorkTab = TabItem<string>;

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
      <Tabs label="Work" tabs={tabs} selected={open.id} onSelect={setChosen} />
    </section>
  );
}
