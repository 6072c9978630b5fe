import { isCommand, isSingleCharacter, isTaken, nameOf, watchModality } from './key-events';
import { areSingleKeysOn } from './single-keys';

export interface Shortcut {
  /** Any of them runs it; names as `nameOf` gives them. */
  readonly keys: readonly string[];
  /** What it does, for the help list. */
  readonly label: string;
  readonly run: (event: KeyboardEvent) => void;
  /** What the help list shows instead of every key, such as the ends of a range. */
  readonly caps?: readonly string[];
  /** False while it has nothing to do: the key then reaches the page. The help list still shows it. */
  readonly isEnabled?: boolean;
}

/** Where shortcuts work: the page, or one dialog over it. Scopes are compared by identity. */
export interface ShortcutScope {
  readonly name: 'page' | 'dialog';
}

export const PAGE: ShortcutScope = { name: 'page' };

interface Group {
  readonly scope: ShortcutScope;
  readonly shortcuts: () => readonly Shortcut[];
}

/** Only these repeat while the key is held. */
const REPEATED = /^(Arrow.*|[-+,.<>])$/;
/** A tooltip is dismissed before Escape does anything else. */
const TOOLTIP = '[role=tooltip]';

const groups = new Set<Group>();
/** Open dialogs, the innermost last. */
const dialogs: ShortcutScope[] = [];
const handled = new Set<string>();

const innermost = (): ShortcutScope => dialogs.at(-1) ?? PAGE;

/** The latest registration of a key wins. */
function find(name: string): Shortcut | undefined {
  const scope = innermost();
  return [...groups]
    .filter((group) => group.scope === scope)
    .flatMap((group) => group.shortcuts())
    .findLast(({ keys, isEnabled = true }) => isEnabled && keys.includes(name));
}

function onDown(event: KeyboardEvent): void {
  if (isCommand(event) || event.isComposing || isTaken(event, innermost() === PAGE)) return;
  const name = nameOf(event);
  if (isSingleCharacter(name) && !areSingleKeysOn()) return;
  if (name === 'Escape' && document.querySelector(TOOLTIP)) return;
  const shortcut = find(name);
  if (!shortcut) return;
  // Stopped in the capture phase, or a focused button would be pressed as well.
  event.preventDefault();
  event.stopPropagation();
  handled.add(name);
  if (!event.repeat || REPEATED.test(name)) shortcut.run(event);
}

function onUp(event: KeyboardEvent): void {
  if (handled.delete(nameOf(event))) event.preventDefault();
}

function startListening(): () => void {
  const stopWatching = watchModality();
  window.addEventListener('keydown', onDown, true);
  window.addEventListener('keyup', onUp, true);
  return () => {
    stopWatching();
    window.removeEventListener('keydown', onDown, true);
    window.removeEventListener('keyup', onUp, true);
  };
}

let stopListening: () => void = () => undefined;

/** Adds a group of shortcuts to a scope; the function that is returned removes it. `shortcuts` is asked at each key. */
export function register(scope: ShortcutScope, shortcuts: () => readonly Shortcut[]): () => void {
  const group: Group = { scope, shortcuts };
  if (groups.size === 0) stopListening = startListening();
  groups.add(group);
  return () => {
    groups.delete(group);
    if (groups.size === 0) stopListening();
  };
}

/** Opens a dialog's scope: until it is closed, no other scope's shortcuts run. */
export function openScope(scope: ShortcutScope): () => void {
  dialogs.push(scope);
  return () => void dialogs.splice(dialogs.indexOf(scope), 1);
}

/** The shortcuts that the page has now, for the help list. */
export const pageShortcuts = (): readonly Shortcut[] => [...groups].filter(({ scope }) => scope === PAGE).flatMap((group) => group.shortcuts());
