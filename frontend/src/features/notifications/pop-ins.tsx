import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useLive } from '../../shared/live/live-provider';
import { Button } from '../../shared/ui/button';
import { classNames } from '../../shared/ui/class-names';
import { NotificationFace, NotificationMessage } from './notification-message';
import { notificationsLive } from './notifications.live';
import { useReading } from './notifications.queries';
import styles from './notifications.module.css';
import { popsIn } from './pop-in-rules';

const MOST_AT_ONCE = 3;
const STAYS_MS = 10_000;
const CHECK_MS = 1_000;

const isField = (element: EventTarget | null): boolean => element instanceof Element && element.matches('textarea, input, [contenteditable="true"]');

/** Whether an element covers the field that has the focus. */
function coversField(element: HTMLElement): boolean {
  const field = document.activeElement;
  if (field === null || !isField(field)) return false;
  const [one, other] = [element.getBoundingClientRect(), field.getBoundingClientRect()];
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

interface PopInProps {
  readonly view: NotificationView;
  readonly onOpen: () => void;
  readonly onDismiss: () => void;
  /** Its time is over; it stays unread. */
  readonly onLeave: () => void;
}

/** Stays ten seconds, longer while the pointer or the focus is on it. */
function PopIn({ view, onOpen, onDismiss, onLeave }: PopInProps) {
  const box = useRef<HTMLDivElement>(null);
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    let left = STAYS_MS;
    const timer = setInterval(() => {
      if (box.current?.matches(':hover, :focus-within') === true) return;
      left -= CHECK_MS;
      if (left <= 0) leave();
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={styles['pop-in']} ref={box} role="group" aria-label="Notification">
      <NotificationFace view={view} size={40} />
      <p dir="auto">
        <NotificationMessage view={view} />
      </p>
      <div className={styles['actions']}>
        {view.href !== null && (
          <Button size="s" variant="primary" onPress={onOpen}>
            Open
          </Button>
        )}
        <Button size="s" onPress={onDismiss}>
          Dismiss
        </Button>
      </div>
    </div>
  );
}

/** New notifications over the page, at most three, announced politely; Escape outside fields dismisses the newest. Also keeps the list and the count current. */
export function PopIns({ uid, viewedProject }: { readonly uid: Uid; readonly viewedProject: Id | null }) {
  const live = useLive();
  const navigate = useNavigate();
  const { markAsRead } = useReading(uid);
  const [shown, setShown] = useState<readonly NotificationView[]>([]);
  const [isAside, setAside] = useState(false);
  const region = useRef<HTMLElement>(null);
  const remove = ({ _id }: NotificationView) => setShown((now) => now.filter((view) => view._id !== _id));
  const add = useEffectEvent((view: NotificationView) => {
    if (popsIn(view, viewedProject)) setShown((now) => [...now, view].slice(-MOST_AT_ONCE));
  });
  useEffect(() => live.listen(notificationsLive(uid, (view) => add(view))), [live, uid]);

  const dismiss = (view: NotificationView) => {
    remove(view);
    markAsRead(view);
  };
  const open = (view: NotificationView) => {
    dismiss(view);
    if (view.href !== null) void navigate(view.href);
  };
  const newest = shown.at(-1);
  const escape = useEffectEvent((event: KeyboardEvent) => {
    // In a field it leaves or cancels what is being written.
    if (event.key !== 'Escape' || event.defaultPrevented || isField(event.target) || newest === undefined) return;
    dismiss(newest);
  });
  const isShown = newest !== undefined;
  useEffect(() => {
    if (!isShown) return undefined;
    const onKey = (event: KeyboardEvent) => escape(event);
    const place = () => setAside((aside) => aside || (region.current !== null && coversField(region.current)));
    place();
    window.addEventListener('keydown', onKey);
    document.addEventListener('focusin', place);
    document.addEventListener('input', place);
    return () => {
      window.removeEventListener('keydown', onKey);
      document.removeEventListener('focusin', place);
      document.removeEventListener('input', place);
      setAside(false);
    };
  }, [isShown, shown]);

  return (
    <section
      ref={region}
      className={classNames(styles['pop-ins'], isAside && styles['aside'])}
      aria-label="New notifications"
      aria-live="polite"
      aria-relevant="additions"
      data-react-aria-top-layer="true"
    >
      {shown.map((view) => (
        <PopIn key={view._id} view={view} onOpen={() => open(view)} onDismiss={() => dismiss(view)} onLeave={() => remove(view)} />
      ))}
    </section>
  );
}
