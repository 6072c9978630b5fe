import { useEffect, useRef } from 'react';

/** What a key does; the names are those of `KeyboardEvent.key`, letters small, the space bar 'Space'. */
export type KeyMap = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>;

const TYPED_INTO =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=combobox]';
/** Surfaces that lie above the page and have keys of their own. */
const SURFACES = 'dialog[open], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
const PRESSED = 'button, a[href], summary, [role=button], [role=switch], [role=checkbox], [role=tab], input';
const STEPPED = 'input[type=range], input[type=radio], [role=slider], [role=tablist], [role=radiogroup]';
/** Such an element lets the page's keys through although it is a slider: the wave, whose own keys they are. */
const OPEN = '[data-page-keys]';

let byKeyboard = false;

/** Held down, only these go on. */
const REPEATED = /^(Arrow.*|\+|-)$/;

const nameOf = ({ key }: KeyboardEvent): string => (key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key);

/** Many keyboards write brackets with AltGr, which the browser also tells as Ctrl and Alt. */
const isCommand = (event: KeyboardEvent): boolean => event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph'));

/** True when the key belongs to what has the focus: a field, an open surface, a control reached with the keyboard. */
export function isTaken(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPED_INTO) || target.closest(SURFACES)) return true;
  if (target.closest(OPEN)) return false;
  const name = nameOf(event);
  if (name === 'Space' || name === 'Enter') return byKeyboard && target.closest(PRESSED) !== null;
  return /^(Arrow|Home|End|Page)/.test(name) && target.closest(STEPPED) !== null;
}

const onTab = (event: KeyboardEvent) => {
  if (event.key === 'Tab') byKeyboard = true;
};
const onPointer = () => {
  byKeyboard = false;
};

/** Who came to a button by Tab wants Space to press it; who clicked on it goes on working with the page's keys. */
function watchModality(): () => void {
  window.addEventListener('keydown', onTab, true);
  window.addEventListener('pointerdown', onPointer, true);
  return () => {
    window.removeEventListener('keydown', onTab, true);
    window.removeEventListener('pointerdown', onPointer, true);
  };
}

/** The page's shortcuts. None acts while somebody types, while a surface is open, or with Ctrl, Alt or Meta held. */
export function useKeys(keys: KeyMap): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const stopWatching = watchModality();
    const handled = new Set<string>();
    const onDown = (event: KeyboardEvent) => {
      if (isCommand(event) || event.isComposing || isTaken(event)) return;
      const name = nameOf(event);
      const act = current.current[name];
      if (!act) return;
      // In the capture phase and to the end, or a button that has the focus would be pressed as well.
      event.preventDefault();
      event.stopPropagation();
      handled.add(name);
      if (!event.repeat || REPEATED.test(name)) act(event);
    };
    const onUp = (event: KeyboardEvent) => {
      if (handled.delete(nameOf(event))) event.preventDefault();
    };
    window.addEventListener('keydown', onDown, true);
    window.addEventListener('keyup', onUp, true);
    return () => {
      stopWatching();
      window.removeEventListener('keydown', onDown, true);
      window.removeEventListener('keyup', onUp, true);
    };
  }, []);
}
