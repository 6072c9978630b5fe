import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { awaitPage } from './page-arrival';

/** A page sets its title just after its heading. */
const TITLE_AFTER_MS = 100;

const nameOfPage = (heading: string): string => (document.title.includes(heading) ? document.title : `${heading}, ${document.title}`);

/** After each change of route: moves the focus to the new page's heading and announces the page. The first page keeps the browser's focus. */
export function RouteChanges() {
  const { pathname } = useLocation();
  const [announced, announce] = useState('');
  const arrivedAt = useRef<string | null>(null);
  useEffect(() => {
    const isChange = arrivedAt.current !== null && arrivedAt.current !== pathname;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = awaitPage(isChange, ({ textContent }) => {
      arrivedAt.current = pathname;
      if (isChange) timer = setTimeout(() => announce(nameOfPage(textContent ?? '')), TITLE_AFTER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [pathname]);
  return (
    <div className="sr" aria-live="polite">
      {announced}
    </div>
  );
}
