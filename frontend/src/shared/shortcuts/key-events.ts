const TYPED_INTO =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=combobox]';
/** Lists over the page that have keys of their own. */
const LISTS = '[role=menu], [role=listbox]';
const DIALOGS = 'dialog[open], [role=dialog], [role=alertdialog]';
const PRESSED = 'button, a[href], summary, [role=button], [role=switch], [role=checkbox], [role=tab], input';
const STEPPED = 'input[type=range], input[type=radio], [role=slider], [role=tablist], [role=radiogroup]';
/** The wave: a slider that leaves its keys to the page's shortcuts. */
const OPEN = '[data-page-keys]';

/** What opens over the page. */
const SURFACES = `${LISTS}, ${DIALOGS}`;

let byKeyboard = false;
let isPointerDown = false;
let lastPressed: Element | null = null;
/** Escape was pressed in a surface, which gives the focus back once it has closed. */
let isEscaping = false;
/** The control that got the focus back from what it had opened. */
let returnedTo: Element | null = null;

const onKey = ({ key, target }: KeyboardEvent) => {
  const isInSurface = target instanceof Element && target.closest(SURFACES) !== null;
  if (key === 'Tab') {
    byKeyboard = true;
    returnedTo = null;
  }
  if (key === 'Tab' || isInSurface) isEscaping = key === 'Escape';
};
const onClick = ({ target }: MouseEvent) => {
  const pressed = target instanceof Element ? target.closest(PRESSED) : null;
  if (pressed?.closest(SURFACES) === null) lastPressed = pressed;
};
const onPointerDown = () => {
  byKeyboard = false;
  isPointerDown = true;
  isEscaping = false;
  returnedTo = null;
};
const onPointerEnd = () => {
  isPointerDown = false;
};
/** Asked here and not at the key: any key shows the ring of a control that was clicked before. */
const onFocus = ({ target }: FocusEvent) => {
  if (!(target instanceof Element)) return;
  if (!isPointerDown && target.matches(':focus-visible')) byKeyboard = true;
  const isOpener = target === lastPressed || target.matches('[aria-haspopup]');
  returnedTo = isEscaping && isOpener && target.closest(SURFACES) === null ? target : null;
};

const LISTENERS = { keydown: onKey, click: onClick, pointerdown: onPointerDown, pointerup: onPointerEnd, pointercancel: onPointerEnd, focusin: onFocus };

/** Space presses a button that was reached by Tab or that shows the ring once the page focuses it; after a click on one it stays a shortcut of the page. */
export function watchModality(): () => void {
  const entries = Object.entries(LISTENERS) as [string, EventListener][];
  for (const [type, listener] of entries) window.addEventListener(type, listener, true);
  return () => {
    for (const [type, listener] of entries) window.removeEventListener(type, listener, true);
  };
}

/** The key as shortcuts name it: `KeyboardEvent.key` with letters in lower case, 'Space' for the space bar. */
export const nameOf = ({ key }: KeyboardEvent): string => (key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key);

/** Letters, digits and symbols, which speech input and slips type by accident (WCAG 2.1.4); not Space, Enter or the arrows. */
export const isSingleCharacter = (name: string): boolean => name.length === 1;

const isSymbol = (key: string): boolean => /^[^\p{L}\p{N}\s]$/u.test(key);

/**
 * Many layouts type brackets with Option or AltGr (a German keyboard: Option and 5, AltGr and 8), which is then part of the character
 * and no modifier of a command. Windows reports AltGr as Ctrl and Alt, and some browsers report nothing else.
 */
function isPartOfSymbol({ key, altKey, ctrlKey }: KeyboardEvent): boolean {
  if (!altKey || !isSymbol(key)) return false;
  return /^(Mac|iP)/.test(navigator.platform) ? !ctrlKey : ctrlKey;
}

/** True with a modifier that makes a command of the browser or the system, not a character. */
export const isCommand = (event: KeyboardEvent): boolean =>
  event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph') && !isPartOfSymbol(event));

/** True when the key belongs to what has the focus: a field, a list, a control reached with the keyboard, or a dialog over the page. */
export function isTaken(event: KeyboardEvent, isPage: boolean): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPED_INTO) || target.closest(LISTS)) return true;
  if (isPage && target.closest(DIALOGS)) return true;
  if (target.closest(OPEN)) return false;
  const name = nameOf(event);
  // Who closes a menu with Escape goes on listening, so Space does not open it again. Enter does, and so does Space once Tab came back to the control.
  if (name === 'Space' && returnedTo !== null && returnedTo.contains(target)) return false;
  if (name === 'Space' || name === 'Enter') return byKeyboard && target.closest(PRESSED) !== null;
  return /^(Arrow|Home|End|Page)/.test(name) && target.closest(STEPPED) !== null;
}
