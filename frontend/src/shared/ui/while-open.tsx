import { createContext, Fragment, type ReactNode, useContext, useEffect, useState } from 'react';

/** A little more than `--t-modal`, so that the end of the exit is not cut off. */
const EXIT_MS = 300;
const WantedContext = createContext(true);

/** False while the surrounding {@link WhileOpen} is on its way out. */
export const useIsWanted = (): boolean => useContext(WantedContext);

interface Shown<Value> {
  readonly value: Value | null;
  /** Which opening this is: a dialog that is opened again starts afresh. */
  readonly opening: number;
}

interface WhileOpenProps<Value> {
  /** What the dialog is about; null while it is closed. */
  readonly value: Value | null;
  readonly children: (value: Value) => ReactNode;
}

/** Renders dialogs that exist only while they are open, and keeps what they showed until their exit is over. */
export function WhileOpen<Value>({ value, children }: WhileOpenProps<Value>) {
  const [shown, setShown] = useState<Shown<Value>>({ value, opening: 0 });
  const [isOpen, setOpen] = useState(value !== null);
  if (isOpen !== (value !== null)) setOpen(value !== null);
  if (value !== null && (!isOpen || value !== shown.value)) setShown({ value, opening: isOpen ? shown.opening : shown.opening + 1 });
  useEffect(() => {
    if (isOpen) return undefined;
    const over = setTimeout(() => setShown(({ opening }) => ({ value: null, opening })), EXIT_MS);
    return () => clearTimeout(over);
  }, [isOpen]);
  const current = value ?? shown.value;
  if (current === null) return null;
  return (
    <WantedContext value={value !== null}>
      <Fragment key={shown.opening}>{children(current)}</Fragment>
    </WantedContext>
  );
}
