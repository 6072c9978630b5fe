import type { ReactNode } from 'react';
import './kbd.css';

/** A key cap. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return <kbd className="kbd">{children}</kbd>;
}
