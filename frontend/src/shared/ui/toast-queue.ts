import { createContext, type ReactNode, useContext } from 'react';

/** The content of a toast. */
export interface ToastMessage {
  readonly message: ReactNode;
  /** Done and warning leave after 6 s; failed stays until it is dismissed or acted on. */
  readonly kind?: 'done' | 'failed' | 'warning';
  /** Who did it, shown instead of an icon. */
  readonly face?: { readonly name: string; readonly photo?: string | undefined };
  /** Such as Retry or Show; pressing it dismisses the toast. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
  /** Other than the usual 6 s. */
  readonly leavesAfterMs?: number;
  /** Called once when the toast is gone, for whatever reason, after its action. */
  readonly onLeft?: () => void;
}

export interface QueuedToast extends ToastMessage {
  readonly id: number;
}

/** Shows and dismisses toasts. */
export interface Toaster {
  /** Shows a message and returns its id, for `dismiss`. */
  readonly show: (message: ToastMessage) => number;
  readonly dismiss: (id: number) => void;
}

const MOST_AT_ONCE = 4;

/** A failure may carry text that the user typed, so only other toasts make room. */
export const withRoom = (queue: readonly QueuedToast[]): QueuedToast[] => {
  const oldest = queue.length > MOST_AT_ONCE ? queue.find(({ kind }) => kind !== 'failed') : undefined;
  return queue.filter((toast) => toast !== oldest);
};

export const ToasterContext = createContext<Toaster | undefined>(undefined);

/** The toaster of the page, the same one in every render. @throws when no `<Toasts>` is above. */
export const useToast = (): Toaster => {
  const toaster = useContext(ToasterContext);
  if (!toaster) throw new Error('useToast needs <Toasts> above it');
  return toaster;
};
