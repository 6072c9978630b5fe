import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { openScope, PAGE, register, type Shortcut, type ShortcutScope } from './shortcut-registry';
import { areSingleKeysOn, onSingleKeys } from './single-keys';

/** The scope that shortcuts join: the page's, inside a dialog the dialog's. */
export const ShortcutScopeContext = createContext<ShortcutScope>(PAGE);

/** A dialog's scope, which counts while the dialog is open; hand it to `ShortcutScopeContext`. */
export function useDialogScope(isOpen: boolean): ShortcutScope {
  const [scope] = useState<ShortcutScope>(() => ({ name: 'dialog' }));
  useEffect(() => (isOpen ? openScope(scope) : undefined), [scope, isOpen]);
  return scope;
}

/**
 * Registers shortcuts in the innermost scope around the component. None runs while the user types, while a scope further in is open,
 * or with Ctrl, Alt or Meta held.
 */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const scope = useContext(ShortcutScopeContext);
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => register(scope, () => current.current), [scope]);
}

/** Whether shortcuts of a single character work in this browser. */
export const useSingleKeys = (): boolean => useSyncExternalStore(onSingleKeys, areSingleKeysOn);
