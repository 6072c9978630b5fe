import { useEffect, useState } from 'react';

const SHRINKS_AFTER_PX = 144;
const BACK_UNDER_PX = 135;

/** True once the page is scrolled far enough for the mini header; the hysteresis avoids flicker. */
export function useShrunk(): boolean {
  const [isShrunk, setShrunk] = useState(false);
  useEffect(() => {
    const update = () => setShrunk((was) => (was ? window.scrollY >= BACK_UNDER_PX : window.scrollY > SHRINKS_AFTER_PX));
    update();
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, []);
  return isShrunk;
}
