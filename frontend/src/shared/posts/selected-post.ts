import type { Id } from '@roughmix/contracts/shared/ids.js';
import { createContext, useContext } from 'react';
import { createStore, useStore } from '../hooks/store';

/** The id of the selected comment or todo, whose range is highlighted on the wave. A store, so that only the posts concerned render again. */
export const SelectedPostContext = createContext(createStore<Id | null>(null));

export const useIsSelected = (id: Id): boolean => useStore(useContext(SelectedPostContext), (selected) => selected === id);
