import { useEffect } from 'react';

/** What the browser's tab says as long as the page stands. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
