import type { ReactNode } from 'react';
import { Banner } from '../../shared/ui/banner';

/** A link from an e-mail no longer works; the children lead on. */
export const LinkSpent = ({ message, children }: { readonly message: string; readonly children: ReactNode }) => (
  <div className="stack">
    <Banner tone="bad">{message}</Banner>
    {children}
  </div>
);
