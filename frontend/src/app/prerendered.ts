import { createContext, useContext } from 'react';

/** Whether the server sent the page's HTML, so that the page must not show a loading state first. */
export const Prerendered = createContext(false);

export const useIsPrerendered = (): boolean => useContext(Prerendered);
