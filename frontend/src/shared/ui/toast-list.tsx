import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Check, CircleAlert, Hand, X } from 'lucide-react';
import { Avatar } from './avatar';
import { Button } from './button';
import { classNames } from './class-names';
import { Icon } from './icon';
import { IconButton } from './icon-button';
import type { QueuedToast } from './toast-queue';
import styles from './toasts.module.css';

const LEAVES_AFTER_MS = 6_000;
const SIGNS = { done: Check, failed: CircleAlert, warning: Hand } as const;
const LOOKS = { done: undefined, failed: styles.bad, warning: styles.warn } as const;

interface ToastProps {
  readonly toast: QueuedToast;
  readonly isHeld: boolean;
  /** Its time is over. */
  readonly onExpire: (id: number) => void;
  /** The user dismissed it or acted on it. */
  readonly onLeave: (id: number) => void;
}

function Toast({ toast, isHeld, onExpire, onLeave }: ToastProps) {
  const { id, kind = 'done', face, message, action, leavesAfterMs = LEAVES_AFTER_MS } = toast;
  useEffect(() => {
    if (isHeld || kind === 'failed') return undefined;
    const timer = setTimeout(() => onExpire(id), leavesAfterMs);
    return () => clearTimeout(timer);
  }, [id, isHeld, kind, leavesAfterMs, onExpire]);
  const act = () => {
    onLeave(id);
    action?.onPress();
  };
  return (
    <li className={classNames(styles.toast, 'arrives', LOOKS[kind])}>
      {face ? <Avatar name={face.name} photo={face.photo} isDecorative /> : <Icon of={SIGNS[kind]} />}
      <span className="grow">{message}</span>
      {action && (
        <Button size="s" variant={kind === 'failed' ? 'default' : 'quiet'} onPress={act}>
          {action.label}
        </Button>
      )}
      <IconButton label="Dismiss" icon={X} iconSize={14} size="s" onPress={() => onLeave(id)} />
    </li>
  );
}

export interface ToastListProps {
  readonly queue: readonly QueuedToast[];
  readonly onLeave: (id: number) => void;
  readonly onClear: () => void;
}

/** Loaded by toasts.tsx with the first toast, so that the login page does not carry it. */
export function ToastList({ queue, onLeave, onClear }: ToastListProps) {
  const [isHeld, setHeld] = useState(false);
  /** Where the focus was before it came to a toast. */
  const origin = useRef<HTMLElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const giveBackFocus = () => {
    if (list.current?.contains(document.activeElement) === true) origin.current?.focus({ preventScroll: true });
  };
  const comeTo = ({ currentTarget, relatedTarget }: FocusEvent<HTMLOListElement>) => {
    setHeld(true);
    if (!currentTarget.contains(relatedTarget)) origin.current = relatedTarget instanceof HTMLElement ? relatedTarget : null;
  };
  const leave = (id: number) => {
    giveBackFocus();
    onLeave(id);
  };
  const clear = () => {
    giveBackFocus();
    onClear();
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // A notification that is shown as well stays.
    event.preventDefault();
    clear();
  };
  // When the last toast disappears under the pointer no leave event follows, so an empty list is never held.
  if (isHeld && queue.length === 0) setHeld(false);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the list is not operated itself, it only pauses its timers
    <ol
      ref={list}
      className={styles.toasts}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={comeTo}
      onBlur={() => setHeld(false)}
      onKeyDown={escape}
    >
      {queue.map((toast) => (
        <Toast key={toast.id} toast={toast} isHeld={isHeld} onExpire={onLeave} onLeave={leave} />
      ))}
    </ol>
  );
}
