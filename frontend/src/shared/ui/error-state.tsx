import type { ReactNode } from 'react';
import { Banner } from './banner';
import { Button } from './button';

export interface ErrorStateProps {
  readonly children: ReactNode;
  readonly onRetry?: () => void;
  readonly isPending?: boolean;
}

/** Something failed to load, with a Retry button. */
export function ErrorState({ children, onRetry, isPending }: ErrorStateProps) {
  const retry = onRetry && (
    <Button size="s" onPress={onRetry} isPending={isPending}>
      Retry
    </Button>
  );
  return (
    <Banner tone="bad" end={retry}>
      {children}
    </Banner>
  );
}
