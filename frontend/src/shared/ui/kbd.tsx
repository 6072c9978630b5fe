import type { ReactNode } from 'react';
import './kbd.css';

/** A key cap, beside what the key does. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return <kbd className="kbd">{children}</kbd>;
}
