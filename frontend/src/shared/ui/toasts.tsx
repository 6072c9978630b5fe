import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Check, CircleAlert, Hand, X } from 'lucide-react';
import { Avatar } from './avatar';
import { Button } from './button';
import { classNames } from './class-names';
import { Icon } from './icon';
import { IconButton } from './icon-button';
import { type QueuedToast, type Toaster, ToasterContext, withRoom } from './toast-queue';
import './toasts.css';

const LEAVES_AFTER_MS = 6_000;
const SIGNS = { done: Check, failed: CircleAlert, warning: Hand } as const;
const LOOKS = { done: '', failed: 'bad', warning: 'warn' } as const;

interface ToastProps {
  readonly toast: QueuedToast;
  readonly isHeld: boolean;
  readonly onLeave: (id: number) => void;
}

function Toast({ toast, isHeld, onLeave }: ToastProps) {
  const { id, kind = 'done', face, message, action } = toast;
  useEffect(() => {
    if (isHeld || kind === 'failed') return undefined;
    const timer = setTimeout(() => onLeave(id), LEAVES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld, kind, onLeave]);
  const act = () => {
    onLeave(id);
    action?.onPress();
  };
  return (
    <li className={classNames('toast arrives', LOOKS[kind])}>
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

function ToastList({
  queue,
  onLeave,
  onClear,
}: {
  readonly queue: readonly QueuedToast[];
  readonly onLeave: (id: number) => void;
  readonly onClear: () => void;
}) {
  const [isHeld, setHeld] = useState(false);
  // The last toast vanishes under the mouse, which then never leaves it: an empty list holds nothing.
  if (isHeld && queue.length === 0) setHeld(false);
  return (
    <section aria-label="Messages" aria-live="polite" aria-relevant="additions">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the list itself is not operated, it only notices being looked at */}
      <ol
        className="toasts"
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
        onKeyDown={(event) => event.key === 'Escape' && onClear()}
      >
        {queue.map((toast) => (
          <Toast key={toast.id} toast={toast} isHeld={isHeld} onLeave={onLeave} />
        ))}
      </ol>
    </section>
  );
}

/** Messages in passing for all that is inside: read out politely, waiting under the mouse and the focus, sent away by Escape. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [queue, setQueue] = useState<readonly QueuedToast[]>([]);
  const lastId = useRef(0);
  const toaster = useMemo<Toaster>(
    () => ({
      show: (message) => {
        lastId.current += 1;
        const id = lastId.current;
        setQueue((before) => withRoom([...before, { ...message, id }]));
        return id;
      },
      dismiss: (id) => setQueue((before) => before.filter((toast) => toast.id !== id)),
    }),
    [],
  );
  return (
    <ToasterContext value={toaster}>
      {children}
      <ToastList queue={queue} onLeave={toaster.dismiss} onClear={() => setQueue([])} />
    </ToasterContext>
  );
}
