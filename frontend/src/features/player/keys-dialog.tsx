import { Fragment } from 'react';
import { isSingleCharacter } from '../../shared/shortcuts/key-events';
import { pageShortcuts, type Shortcut } from '../../shared/shortcuts/shortcut-registry';
import { turnSingleKeys } from '../../shared/shortcuts/single-keys';
import { useSingleKeys } from '../../shared/shortcuts/use-shortcuts';
import { Dialog } from '../../shared/ui/dialog';
import { Kbd } from '../../shared/ui/kbd';
import { Switch } from '../../shared/ui/switch';
import styles from './keys-dialog.module.css';

/** Key labels that differ from the key's name. */
const CAPS: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', '-': '−' };
/** Playback, zoom, tempo and pitch come first; the rest are sorted by key. */
const FIRST = ['Space', 'Enter', 'ArrowLeft', 'ArrowRight', '+', '-', ',', '.', '<', '>', '0', 'Escape'];

const capOf = (key: string): string => CAPS[key] ?? (key.length === 1 ? key.toUpperCase() : key);

const rankOf = ({ keys: [key = ''] }: Shortcut): number => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);

const inOrder = (shortcuts: readonly Shortcut[]): readonly Shortcut[] =>
  shortcuts.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.keys[0] ?? '').localeCompare(b.keys[0] ?? ''));

function ShortcutList({ areSingleKeysOn }: { readonly areSingleKeysOn: boolean }) {
  return (
    <dl className={styles.rows}>
      {inOrder(pageShortcuts()).map(({ keys, caps = keys, label }) => (
        <Fragment key={label}>
          <dt>
            {caps.map((key) => (
              <Kbd key={key}>{capOf(key)}</Kbd>
            ))}
          </dt>
          <dd className={!areSingleKeysOn && keys.every(isSingleCharacter) ? styles.isOff : undefined}>{label}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

export interface KeysDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists the page's shortcuts, with a switch that turns single-key shortcuts off. */
export function KeysDialog({ isOpen, onClose }: KeysDialogProps) {
  const areSingleKeysOn = useSingleKeys();
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <ShortcutList areSingleKeysOn={areSingleKeysOn} />
      <Switch label="Turn off single-key shortcuts" isSelected={!areSingleKeysOn} onChange={(isOff) => turnSingleKeys(!isOff)} />
      <p className="hint">
        {areSingleKeysOn
          ? 'Shortcuts do nothing while you type.'
          : 'Letters, digits and symbols do nothing now. Space, Enter, Esc and the arrow keys still work.'}
      </p>
    </Dialog>
  );
}
