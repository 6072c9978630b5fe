import { useCallback, useLayoutEffect, useState } from 'react';
import { ScrollRestoration } from 'react-router-dom';
import { useIsPrerendered } from './prerendered';

function AtMount({ act }: { readonly act: () => void }) {
  useLayoutEffect(act, [act]);
  return null;
}

/** New pages start at their top, and earlier ones where they were left. A first page whose HTML is being read stays where it is. */
export function ScrollPositions() {
  const isPrerendered = useIsPrerendered();
  const [first] = useState({ y: 0 });
  const note = useCallback(() => void (first.y = window.scrollY), [first]);
  const stay = useCallback(() => {
    if (isPrerendered) window.scrollTo(0, first.y);
  }, [isPrerendered, first]);
  return (
    <>
      <AtMount act={note} />
      <ScrollRestoration />
      <AtMount act={stay} />
    </>
  );
}
