import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import styles from './completion.module.css';

/** How long the completion screen stays before the projects open. */
export const COMPLETION_MS = 5_000;

export interface WelcomeCompletionProps {
  readonly title: string;
  readonly children: ReactNode;
  /** After 5 s, and every 5 s until the screen is left. */
  readonly onElapsed: () => void;
}

/** Between the welcome form and the projects. */
export function WelcomeCompletion({ title, children, onElapsed }: WelcomeCompletionProps) {
  const elapse = useEffectEvent(onElapsed);
  const heading = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone.
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    const timer = setInterval(() => elapse(), COMPLETION_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <main className={styles.completion}>
      <h1 className="wide h-project" ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
      <i className={styles.bar} aria-hidden="true" />
    </main>
  );
}
