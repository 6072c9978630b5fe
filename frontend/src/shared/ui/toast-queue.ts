import { createContext, type ReactNode, useContext } from 'react';

/** What a toast says. */
export interface ToastMessage {
  readonly message: ReactNode;
  /** Done and warning leave after 6 s; failed stays until it is dismissed or acted on. */
  readonly kind?: 'done' | 'failed' | 'warning';
  /** Who did it, instead of a sign. */
  readonly face?: { readonly name: string; readonly photo?: string | undefined };
  /** Retry, Show; pressing it sends the toast away. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

export interface QueuedToast extends ToastMessage {
  readonly id: number;
}

/** The way to tell something in passing. */
export interface Toaster {
  /** Shows a message and answers its number, for `dismiss`. */
  readonly show: (message: ToastMessage) => number;
  readonly dismiss: (id: number) => void;
}

const MOST_AT_ONCE = 4;

/** Failures carry what somebody typed, so only the others make room. */
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
