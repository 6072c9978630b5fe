import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useState } from 'react';

/** Edit mode of the list, and the selected projects. */
export interface Selection {
  readonly isOn: boolean;
  readonly chosen: readonly ListedProject[];
  readonly toggle: () => void;
  readonly set: (projectId: Id, isSelected: boolean) => void;
  readonly forget: (projectId: Id) => void;
}

/** Selects among these projects; removed ones leave the selection. */
export function useSelection(selectable: readonly ListedProject[]): Selection {
  const [isOn, setIsOn] = useState(false);
  const [ids, setIds] = useState<ReadonlySet<Id>>(new Set());
  const set = (projectId: Id, isSelected: boolean) =>
    setIds((before) => {
      const next = new Set(before);
      if (isSelected) next.add(projectId);
      else next.delete(projectId);
      return next;
    });
  const toggle = () => {
    setIsOn(!isOn);
    setIds(new Set());
  };
  return { isOn, chosen: selectable.filter(({ _id }) => ids.has(_id)), toggle, set, forget: (projectId) => set(projectId, false) };
}
